// Parses the XML of build files, with positions of mistakes. Never resolves external entities.

import { ParseProblem, positionAt } from '../parse-problem.ts';
import { refuseBinary, refuseConflicts, refuseTooManyValues } from './lines.ts';

/** An element with its children; names without their namespace prefix. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  /** Text directly inside, entities decoded, trimmed. */
  text: string;
}

/** Callbacks of a scan; `depth` of the root element is 0. */
interface XmlVisitor {
  open(name: string, attributes: ReadonlyMap<string, string>, depth: number): void;
  close?(name: string, depth: number): void;
  text?(text: string): void;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const nameToken = /[^\s/>=<"']+/y;
const attributeToken = /\s*([^\s/>=<"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
const tagEnd = /\s*(\/?)>/y;

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{2,4});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return entities[entity] ?? whole;
    const code =
      entity[1]?.toLowerCase() === 'x' ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** Scans a document; throws `ParseProblem` if it is not well formed, or has another root element, in any case. */
export function scanXml(source: string, visitor: XmlVisitor, rootName?: string): void {
  refuseConflicts(source);
  refuseBinary(source);
  refuseTooManyValues(source, '<=');
  const open: string[] = [];
  let roots = 0;
  let at = 0;
  const fail = (message: string, offset: number): never => {
    throw new ParseProblem(message, positionAt(source, offset));
  };
  const skipTo = (mark: string, from: number): number => {
    const end = source.indexOf(mark, from);
    return end === -1 ? fail('the file ends in the middle', at) : end + mark.length;
  };
  for (;;) {
    const start = source.indexOf('<', at);
    const between = source.slice(at, start === -1 ? source.length : start);
    if (between.trim() !== '') {
      if (open.length === 0) fail('there is text outside of the root element', at);
      visitor.text?.(decode(between));
    }
    if (start === -1) break;
    at = start;
    if (source.startsWith('<!--', at)) at = skipTo('-->', at + 4);
    else if (source.startsWith('<?', at)) at = skipTo('?>', at + 2);
    else if (source.startsWith('<![CDATA[', at)) {
      const end = skipTo(']]>', at + 9);
      visitor.text?.(source.slice(at + 9, end - 3));
      at = end;
    } else if (source.startsWith('<!', at)) {
      const close = skipTo('>', at);
      const hasSubset = source.slice(at, close).includes('[');
      at = hasSubset ? skipTo('>', skipTo(']', at) - 1) : close;
    } else if (source[at + 1] === '/') {
      const end = skipTo('>', at);
      const name = source.slice(at + 2, end - 1).trim();
      if (open.pop() !== name) fail('a closing tag has no opening tag', at);
      visitor.close?.(withoutPrefix(name), open.length);
      at = end;
    } else {
      nameToken.lastIndex = at + 1;
      const name = nameToken.exec(source)?.[0] ?? fail('a tag has no name', at);
      if (open.length === 0 && roots > 0) fail('there is more than one root element', at);
      if (roots === 0 && rootName && withoutPrefix(name).toLowerCase() !== rootName.toLowerCase())
        fail(`its root element is not <${rootName}>`, at);
      const attributes = new Map<string, string>();
      let end = nameToken.lastIndex;
      for (;;) {
        attributeToken.lastIndex = end;
        const attribute = attributeToken.exec(source);
        if (!attribute) break;
        attributes.set(withoutPrefix(attribute[1] as string), decode(attribute[2] ?? attribute[3] ?? ''));
        end = attributeToken.lastIndex;
      }
      tagEnd.lastIndex = end;
      const closing = tagEnd.exec(source) ?? fail('a tag has no end', at);
      roots += open.length === 0 ? 1 : 0;
      visitor.open(withoutPrefix(name), attributes, open.length);
      if (closing[1] === '/') visitor.close?.(withoutPrefix(name), open.length);
      else open.push(name);
      at = tagEnd.lastIndex;
    }
  }
  if (open.length > 0) fail(`the file ends before </${open.at(-1)}>`, source.length);
  if (roots === 0) fail('it has no root element', 0);
}

/** The root element of a document; throws `ParseProblem` if it is not well formed. Keeps the whole tree in memory. */
export function parseXml(source: string, rootName?: string): XmlElement {
  const stack: XmlElement[] = [];
  let root: XmlElement | undefined;
  const visitor: XmlVisitor = {
    open(name, attributes) {
      const element: XmlElement = { name, attributes, children: [], text: '' };
      stack.at(-1)?.children.push(element);
      root ??= element;
      stack.push(element);
    },
    close() {
      const element = stack.pop();
      if (element) element.text = element.text.trim();
    },
    text(text) {
      const element = stack.at(-1);
      if (element) element.text += text;
    },
  };
  scanXml(source, visitor, rootName);
  if (!root) throw new ParseProblem('it has no root element');
  return root;
}

export function childrenOf(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

export function childOf(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

/** Text of the first child element of a name; undefined if it is absent or empty. */
export function childText(element: XmlElement | undefined, name: string): string | undefined {
  return childOf(element, name)?.text || undefined;
}
