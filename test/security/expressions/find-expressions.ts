// Every regular expression of the packages, found in the syntax trees of their files: literals, and those that `RegExp` makes.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  type Argument,
  type CallExpression,
  type Expression,
  type NewExpression,
  parseSync,
  type TemplateLiteral,
  Visitor,
} from 'oxc-parser';

const packages = path.resolve(import.meta.dirname, '../../../packages');

interface FoundExpression {
  readonly pattern: string;
  readonly flags: string;
  /** `capture/src/variables/token-patterns.ts:88` */
  readonly place: string;
}

/** A call of `RegExp` whose pattern is only known at run time. */
interface MadeExpression {
  readonly file: string;
  readonly line: number;
}

export interface FoundExpressions {
  readonly literals: readonly FoundExpression[];
  readonly made: readonly MadeExpression[];
}

/** Reads all sources of the packages. */
export function findExpressions(): FoundExpressions {
  const literals: FoundExpression[] = [];
  const made: MadeExpression[] = [];
  for (const file of sources()) {
    const text = readFileSync(path.join(packages, file), 'utf8');
    const { program, errors } = parseSync(file, text);
    if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length;
    const constants = new Map<string, Expression>();
    const construct = (call: NewExpression | CallExpression) => {
      if (call.callee.type !== 'Identifier' || call.callee.name !== 'RegExp') return;
      const [pattern, flags] = call.arguments.map((argument) => constantText(argument, constants));
      if (pattern === undefined || (call.arguments.length > 1 && flags === undefined))
        made.push({ file, line: lineOf(call.start) });
      else literals.push({ pattern, flags: flags ?? '', place: `${file}:${lineOf(call.start)}` });
    };
    new Visitor({
      VariableDeclarator({ id, init }) {
        if (id.type === 'Identifier' && init) constants.set(id.name, init);
      },
      Literal(node) {
        if ('regex' in node) literals.push({ ...node.regex, place: `${file}:${lineOf(node.start)}` });
      },
      NewExpression: construct,
      CallExpression: construct,
    }).visit(program);
  }
  return { literals, made };
}

/** The text of an expression of the program, if it consists of literals only. */
function constantText(node: Argument, constants: ReadonlyMap<string, Expression>): string | undefined {
  const parts = (quasi: TemplateLiteral, kind: 'raw' | 'cooked'): string | undefined => {
    const texts = quasi.expressions.map((each) => constantText(each, constants));
    if (texts.includes(undefined)) return undefined;
    return quasi.quasis.map(({ value }, index) => `${value[kind]}${texts[index] ?? ''}`).join('');
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return parts(node, 'cooked');
    case 'TaggedTemplateExpression':
      return parts(node.quasi, 'raw');
    case 'Identifier': {
      const constant = constants.get(node.name);
      return constant && constantText(constant, constants);
    }
    case 'BinaryExpression': {
      const [left, right] = [node.left, node.right].map((side) =>
        constantText(side as Expression, constants),
      );
      return left === undefined || right === undefined ? undefined : left + right;
    }
    default:
      return undefined;
  }
}

/** Paths below the packages; the action's programs read strangers' text too. */
function sources(): string[] {
  const action = readdirSync(path.join(packages, '../action')).map((file) => `../action/${file}`);
  return readdirSync(packages, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => /^[a-z]+\/(?:src|bin)\//.test(file))
    .concat(action)
    .filter((file) => /(?<!\.d)\.[cm]?[jt]sx?$/.test(file))
    .sort();
}
