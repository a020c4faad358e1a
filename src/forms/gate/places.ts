import type { Query } from '../../platform/db/database.ts';
import { GateRefusal } from './refusal.ts';

/** What a submission takes up where its form is not open without end. */
export interface Passage {
  /** How many submissions the form takes in all. */
  most: number | null;
  /** The link that is used up. */
  linkId: string | null;
}

/** What everybody has at a form that says nothing. */
export const FREE_PASSAGE: Passage = { most: null, linkId: null };

interface Coming {
  id: string;
  customerId: number;
  formId: string;
  at: Date;
  passage: Passage;
}

interface Taking {
  query: Query;
  judge(outcome: { rowCount: number | null }): void;
}

const HAS_ROOM = 'select where has_room($1, $2, $3)';
const USE_LINK = `
  update form_links set used_at = $5, submission_id = $4, answers = null
  where customer_id = $1 and form_id = $2 and id = $3 and used_at is null and expires_at > $5`;

/** What takes the places and the links of submissions up, in their transaction, and refuses them where there is none. */
export function placeQueries(batch: readonly Coming[]): Taking[] {
  const limited = Map.groupBy(
    batch.filter(({ passage }) => passage.most !== null),
    ({ formId }) => formId,
  );
  // In the order of the forms, so that two transactions never wait for each other.
  const forms = [...limited].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return [...forms.map(([formId, coming]) => takeRoom(formId, coming)), ...batch.flatMap(useLink)];
}

function takeRoom(formId: string, coming: readonly Coming[]): Taking {
  const most = Math.min(...coming.map(({ passage }) => passage.most as number));
  return {
    query: { name: 'has-room', text: HAS_ROOM, values: [formId, coming.length, most] },
    judge({ rowCount }) {
      if (rowCount !== 1) throw new GateRefusal('full');
    },
  };
}

function useLink({ id, customerId, formId, at, passage }: Coming): Taking[] {
  if (passage.linkId === null) return [];
  return [
    {
      query: { name: 'use-link', text: USE_LINK, values: [customerId, formId, passage.linkId, id, at] },
      judge({ rowCount }) {
        if (rowCount !== 1) throw new GateRefusal('link');
      },
    },
  ];
}
