import { MOST_IN_GROUP, MOST_STEPS } from '../form-model.ts';

/** Something of a form that was ignored, and why. It names places and rules, and never repeats a value. */
export interface Note {
  path: string;
  note: string;
}

/** How many questions, headings and sections a form may have. */
const MOST_FIELDS = 5_000;

/** How deep sections may be nested. */
export const DEEPEST_NESTING = 8;

/** How many choices, rows or columns a question may have. */
export const MOST_CHOICES = 5_000;

/** How many cells the tables of a form may have together: each is drawn as a control of its own. */
export const MOST_CELLS = 10_000;

/** How many entries a repeating group takes where the form does not say: each is drawn, however little was sent for it. */
export const USUAL_ENTRIES = 100;

/** How many entries a repeating group takes. */
const MOST_ENTRIES = 1_000;

/** How many entries a repeating group may demand, as every page shows so many of them. */
const MOST_DEMANDED_ENTRIES = 100;

/** How much the entries of all groups of a form may weigh together, and those that are demanded. */
const MOST_IN_GROUPS = 200_000;
const MOST_DEMANDED_IN_GROUPS = 10_000;

/** How much the patterns of one form may weigh together. */
const MOST_PATTERN_WEIGHT = 100_000;

const MOST_NOTES = 1_000;

/** What is ignored of a form while it is read, and how much of its bounds is used up. */
export class Reading {
  readonly notes: Note[] = [];
  #fields = 0;
  #patternWeight = 0;
  #cells = 0;
  #inGroups = 0;
  #demandedInGroups = 0;
  #steps = 0;

  note(path: string, note: string): void {
    if (this.notes.length < MOST_NOTES) this.notes.push({ path, note });
  }

  /** Takes one more field, or says that there is no room for it. */
  takeField(path: string): boolean {
    this.#fields += 1;
    if (this.#fields === MOST_FIELDS + 1) this.note(path, `a form may have at most ${MOST_FIELDS} fields`);
    return this.#fields <= MOST_FIELDS;
  }

  /** Takes the cells of one more table, or says that there is no room for it. */
  takeCells(count: number): boolean {
    const isRoom = this.#cells + count <= MOST_CELLS;
    if (isRoom) this.#cells += count;
    return isRoom;
  }

  /** Takes an expression of so many steps, or says that there is no room for it. */
  takeSteps(steps: number): boolean {
    const isRoom = this.#steps + steps <= MOST_STEPS;
    if (isRoom) this.#steps += steps;
    return isRoom;
  }

  /**
   * Takes as many entries of a weight as there is room for, yet one; those of the first are among the steps of the form
   * already.
   */
  takeEntries(wanted: number, weight: number, steps: number): number {
    const room = Math.min(MOST_IN_GROUP, MOST_IN_GROUPS - this.#inGroups);
    const roomForSteps = steps === 0 ? MOST_ENTRIES : 1 + Math.floor((MOST_STEPS - this.#steps) / steps);
    const entries = Math.min(wanted, MOST_ENTRIES, Math.max(1, Math.floor(room / weight)), roomForSteps);
    this.#inGroups += entries * weight;
    this.#steps += (entries - 1) * steps;
    return entries;
  }

  /** Takes as many entries of a weight that are demanded as there is room for. */
  takeDemandedEntries(wanted: number, weight: number): number {
    const room = MOST_DEMANDED_IN_GROUPS - this.#demandedInGroups;
    const entries = Math.min(wanted, MOST_DEMANDED_ENTRIES, Math.floor(room / weight));
    this.#demandedInGroups += entries * weight;
    return entries;
  }

  takePattern(weight: number): boolean {
    this.#patternWeight += weight;
    return this.#patternWeight <= MOST_PATTERN_WEIGHT;
  }
}
