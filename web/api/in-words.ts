import { LABELS, numbered } from '../words/fields.ts';

/** The field that an error begins with, such as `send.recipient_emails[1]`, and the number of the one that is wrong. */
const BEGINNING = /^(?:[a-z_]+\.)*([a-z_]+)(?:\[(\d+)\])?(?=:? )/;
const NAME = /\b[a-z]+(?:_[a-z]+)+\b/g;

/** What an error of the API says, with the labels of fields in place of their names. */
export function inWords(message: string): string {
  const begun = message.replace(BEGINNING, (place, name: string, index?: string) => {
    const label = LABELS[name];
    if (label === undefined) return place;
    return index === undefined ? label : numbered(label, Number(index) + 1);
  });
  return begun.replace(NAME, (name) => LABELS[name]?.toLowerCase() ?? name);
}
