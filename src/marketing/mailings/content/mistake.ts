import { type Position, TemplateMistake } from '../../../email/index.ts';

/** What is wrong with the content of a mailing, and in which part. It names the rule and never repeats the content. */
export class ContentMistake extends Error {
  /** `subject`, `preheader`, `html`, `mjml`, `text`, or a place like `blocks[2].url`. */
  readonly part: string;
  readonly position: Position | null;
  readonly rule: string;
  /** The place in the part, where there is one, and the rule. */
  readonly told: string;

  constructor(part: string, position: Position | null, rule: string) {
    const told = position === null ? rule : `line ${position.line}, column ${position.column}: ${rule}`;
    super(`${part}: ${told}`);
    this.told = told;
    this.name = 'ContentMistake';
    this.part = part;
    this.position = position;
    this.rule = rule;
  }
}

/** Does what may find a mistake in a template, and says in which part it was; `place` finds it in the source. */
export function inPart<T>(part: string, work: () => T, place: (at: Position) => Position | null = (at) => at): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TemplateMistake)) throw error;
    throw new ContentMistake(part, place({ line: error.line, column: error.column }), error.rule);
  }
}
