import { type Block, generate, walk } from 'css-tree';
import { isNestedTooDeep } from '../layout/css/depth.ts';
import { parseCss } from '../layout/css/parse.ts';
import { type Mark, readMarkup } from '../layout/markup.ts';
import { MOST_IN_STYLES, MOST_STYLES, readStyles } from '../layout/style-class.ts';
import { type Colour, contrastOf, readColour } from './contrast.ts';
import { error, type Finding, warning } from './finding.ts';

/** WCAG 2.2, 1.4.3: the least contrast of text of the usual size. */
const LEAST = 4.5;
const LONGEST_CSS = 200_000;
const [WHITE, INK]: [Colour, Colour] = [
  [255, 255, 255],
  [0x17, 0x24, 0x2e],
];

/** What the page writes with a colour that a customer may set, and on what. */
const THEME: Record<string, { on: Colour; words: string }> = {
  '--ink': { on: WHITE, words: 'The colour of the text' },
  '--soft': { on: WHITE, words: 'The colour of the help texts' },
  '--accent': { on: WHITE, words: 'The colour of buttons and links' },
  '--wrong': { on: WHITE, words: 'The colour of error messages' },
  '--paper': { on: INK, words: 'The colour behind the questions' },
};

/** What of the looks makes a form hard to read: colours that are too alike, pictures without words, styles that are left out. */
export function checkLooks({ css, html }: { css: string | null; html: string | null }): Finding[] {
  const marks = html === null ? [] : readMarkup(html);
  return [...(css === null ? [] : checkColours(css)), ...checkPictures(marks), ...checkStyles(marks)];
}

function checkColours(css: string): Finding[] {
  if (css.length > LONGEST_CSS || isNestedTooDeep(css)) return [];
  const findings: Finding[] = [];
  walk(parseCss(css, 'stylesheet'), (node) => {
    if (node.type === 'Rule') findings.push(...checkRule(generate(node.prelude), coloursIn(node.block)));
  });
  return findings;
}

function coloursIn({ children }: Block): Map<string, Colour> {
  return new Map(
    children.toArray().flatMap((node): [string, Colour][] => {
      if (node.type !== 'Declaration') return [];
      const colour = readColour(generate(node.value));
      return colour === null ? [] : [[node.property.toLowerCase(), colour]];
    }),
  );
}

function checkRule(selector: string, colours: ReadonlyMap<string, Colour>): Finding[] {
  const findings = Object.entries(THEME).flatMap(([name, { on, words }]) => {
    const own = colours.get(name);
    return own === undefined ? [] : judge(null, words, contrastOf(own, on));
  });
  const text = colours.get('color');
  const ground = colours.get('background-color') ?? colours.get('background');
  if (text === undefined && ground === undefined) return findings;
  const contrast = contrastOf(text ?? INK, ground ?? WHITE);
  return [...findings, ...judge(selector, 'Text', contrast)];
}

function judge(selector: string | null, what: string, contrast: number): Finding[] {
  if (contrast >= LEAST) return [];
  const words = `${what} stands out too little: the contrast is ${contrast.toFixed(1)} to 1, and ${LEAST} is the least.`;
  // Whether a rule of one's own paints text at all is not known here.
  return [selector === null ? error(null, words) : warning(selector, words)];
}

function checkPictures(marks: readonly Mark[]): Finding[] {
  const silent = marks.filter(
    (mark) => mark.kind === 'open' && mark.name === 'img' && mark.attributes.alt === undefined,
  );
  if (silent.length === 0) return [];
  const words = silent.length === 1 ? 'A picture has' : `${silent.length} pictures have`;
  return [error(null, `${words} no text for people who cannot see it (alt; empty where it only decorates).`)];
}

function checkStyles(marks: readonly Mark[]): Finding[] {
  if (!readStyles(marks).areTooMany) return [];
  const most = `${MOST_STYLES} different ones of ${MOST_IN_STYLES} characters together`;
  return [
    warning(null, `The layout has more style attributes than are taken (${most}): those that follow are left out.`),
  ];
}
