// Small pictures: inline SVG and links that look like one. Beside each stands a table or text that says the same.

import { html, type MarkupContent } from '../markup.ts';

interface StripRun {
  readonly result: 'passed' | 'failed';
  readonly link: string;
  /** When it was, and what else is worth saying of it. */
  readonly title: string;
}

/** The last runs of a name as marks to click, the oldest first. */
export function runStrip(name: string, runs: readonly StripRun[]): MarkupContent {
  const marks = runs.map(
    ({ result, link, title }) =>
      html`<li><a class="mark ${result}" data-result="${result}" href="${link}" title="${title}"><span aria-hidden="true">${result === 'passed' ? '✓' : '✕'}</span><span class="unseen">${result}, ${title}</span></a></li>`,
  );
  return html`<ol class="strip" data-run="${name}" aria-label="Last runs of ${name}, the oldest first">${marks}</ol>`;
}

/** A day, or another step of the axis, with what was counted then. */
interface Bar {
  readonly label: string;
  readonly total: number;
  /** How many of them were refused: drawn in another colour at the foot of the bar. */
  readonly refused: number;
}

const barSize = { width: 1000, height: 160, axis: 22 } as const;

/** Bars over time. The label says what they count, for those who do not see them. */
export function barChart(label: string, bars: readonly Bar[]): MarkupContent {
  const most = Math.max(1, ...bars.map(({ total }) => total));
  const step = barSize.width / Math.max(1, bars.length);
  const room = barSize.height - barSize.axis;
  const every = Math.ceil(bars.length / 8);
  const drawn = bars.map(({ label: name, total, refused }, place) => {
    const [x, width] = [rounded(place * step + step * 0.1), rounded(step * 0.8)];
    const [tall, foot] = [(total / most) * room, (refused / most) * room].map(rounded) as [number, number];
    const tick =
      place % every === 0 &&
      html`<text class="tick" x="${rounded(place * step)}" y="${barSize.height - 5}">${name}</text>`;
    return html`<g><title>${name}: ${total}${refused > 0 && `, ${refused} refused`}</title><rect class="bar-total" x="${x}" y="${rounded(room - tall)}" width="${width}" height="${tall}"/>${refused > 0 && html`<rect class="bar-refused" x="${x}" y="${rounded(room - foot)}" width="${width}" height="${foot}"/>`}</g>${tick}`;
  });
  return html`<svg class="bars" viewBox="0 0 ${barSize.width} ${barSize.height}" role="img" aria-label="${label}"><path class="grid" d="M0 ${room}H${barSize.width}"/>${drawn}</svg>`;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}

/** How much of something is used: a bar with its figures. */
export function usedBar(
  name: string,
  { used, max }: { readonly used: number; readonly max: number },
  shown: (value: number) => string,
): MarkupContent {
  const share = max === 0 ? 1 : used / max;
  const kind = share >= 1 ? 'full' : share >= 0.8 ? 'tight' : 'roomy';
  return html`<div class="used"><span>${name}</span><meter class="${kind}" min="0" max="${Math.max(1, max)}" value="${used}" aria-label="${name}"></meter><span class="numbers">${shown(used)} of ${shown(max)}</span></div>`;
}
