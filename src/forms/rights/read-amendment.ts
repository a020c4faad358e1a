import { type Static, Type } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import type { Answers } from '../model/form-model.ts';

/** Where an amendment comes from: answers that are to be others, or a statement beside them. */
export type WantedAmendment = { reason: string | null; requestedBy: string | null } & (
  | { changes: Answers; statement: null }
  | { changes: null; statement: string }
);

const LONGEST_STATEMENT = 20_000;
const LONGEST_REASON = 2_000;
const LONGEST_NAME = 320;

const Text = (longest: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: longest, description }), Type.Null()]));

export const AmendmentBody = Type.Object({
  changes: Type.Optional(
    Type.Union([
      Type.Object({}, { additionalProperties: true, description: 'Answers by name; null takes one away' }),
      Type.Null(),
    ]),
  ),
  statement: Text(LONGEST_STATEMENT, 'A statement of disagreement, instead of changes'),
  reason: Text(LONGEST_REASON, 'Why; required with changes'),
  requested_by: Text(LONGEST_NAME, 'Who asked for it'),
});

/** Reads what is to be amended, or throws naming what is wrong. */
export function readAmendment(body: Static<typeof AmendmentBody>): WantedAmendment {
  const { changes, statement, reason, requested_by: requestedBy } = body;
  const said = { reason: textOf(reason), requestedBy: textOf(requestedBy) };
  const stated = textOf(statement);
  if (changes === undefined || changes === null) {
    if (stated === null) throw invalidField('changes', 'are required where there is no statement');
    return { ...said, changes: null, statement: stated };
  }
  if (stated !== null) throw invalidField('statement', 'takes an amendment of its own');
  if (Object.keys(changes).length === 0) throw invalidField('changes', 'must name an answer');
  if (said.reason === null) throw invalidField('reason', 'is required with changes');
  return { ...said, changes: changes as Answers, statement: null };
}

function textOf(text: string | null | undefined): string | null {
  return text === undefined || text === null || text.trim() === '' ? null : text.trim().toWellFormed();
}
