import { CONTROLS } from './elements.ts';
import type { Mark } from './markup.ts';

type Opened = Extract<Mark, { kind: 'open' }>;

/** The question whose place an element marks; null where it marks none. */
export function fieldOf({ name, attributes }: Opened, names: ReadonlySet<string>): string | null {
  const wanted = attributes['data-field'] ?? (CONTROLS.has(name) ? attributes.name : undefined);
  return wanted !== undefined && names.has(wanted) ? wanted : null;
}

/**
 * The places of the labels that belong to a question: by `for`, by holding its control, or by standing right before
 * it. The question brings its own.
 */
export function labelsOfFields(marks: readonly Mark[], names: ReadonlySet<string>): ReadonlySet<number> {
  const ids = new Set<string>();
  /** How many fields stand before each place. */
  const before: number[] = [0];
  for (const mark of marks) {
    const isField = mark.kind === 'open' && fieldOf(mark, names) !== null;
    if (isField && mark.attributes.id !== undefined) ids.add(mark.attributes.id);
    before.push((before.at(-1) as number) + (isField ? 1 : 0));
  }
  const standsBefore = (end: number) => {
    const next = marks.slice(end + 1, end + 8).find((mark) => !isGap(mark));
    return next?.kind === 'open' && fieldOf(next, names) !== null;
  };
  const belongs = (label: Opened, place: number) => {
    if (before[label.end] !== before[place]) return true;
    return label.attributes.for === undefined ? standsBefore(label.end) : ids.has(label.attributes.for);
  };
  const places = new Set<number>();
  marks.forEach((mark, place) => {
    if (mark.kind === 'open' && mark.name === 'label' && belongs(mark, place)) places.add(place);
  });
  return places;
}

function isGap(mark: Mark): boolean {
  if (mark.kind === 'text') return mark.text.trim() === '';
  return mark.kind === 'close' || mark.name === 'br';
}
