import { folded } from '../../model/compile/settings.ts';
import type { Place } from './place.ts';

/** What people are asked for about themselves, by the names that forms give it. */
const BY_NAME = new Map([
  ['name', 'name'],
  ['fullname', 'name'],
  ['yourname', 'name'],
  ['yourfullname', 'name'],
  ['patientname', 'name'],
  ['firstname', 'given-name'],
  ['givenname', 'given-name'],
  ['lastname', 'family-name'],
  ['surname', 'family-name'],
  ['familyname', 'family-name'],
  ['dateofbirth', 'bday'],
  ['birthdate', 'bday'],
  ['birthday', 'bday'],
  ['dob', 'bday'],
]);

/** What a browser may fill in by itself. Entries of a group are about others. */
export function autocompleteOf({ question, path }: Place): string | null {
  if (path.length > 1) return 'off';
  if (question.kind === 'email') return 'email';
  if (question.kind === 'phone') return 'tel';
  return BY_NAME.get(folded(question.name)) ?? BY_NAME.get(folded(question.label)) ?? null;
}
