import type { FieldType } from '../../fields/field-type.ts';
import type { Prepared } from '../content/prepare-content.ts';
import { isBuiltIn, slugOf } from '../field-classes.ts';
import type { MailingContent, TemplateType } from '../mailing.ts';
import { leftSamples } from './left-samples.ts';
import type { MailingProblem } from './problem.ts';
import { spamSigns } from './spam-signs.ts';

interface Looked {
  templateType: TemplateType;
  content: MailingContent;
  prepared: Prepared;
  types: readonly FieldType[];
}

/** What somebody should know of a mailing that could be sent as it is. */
export function findProblems({ templateType, content, prepared, types }: Looked): MailingProblem[] {
  const lacksAddress = templateType === 'blocks' && !JSON.stringify(content.blocks).includes('"type":"footer"');
  return [
    ...(content.from_address === null
      ? [{ field: 'from', severity: 'warning' as const, message: 'Say who the mail is from before it is sent.' }]
      : []),
    ...leftSamples(prepared.html),
    ...unknownFields(prepared.variables, types),
    ...spamSigns(prepared),
    ...(prepared.wayOutAdded
      ? [note('body', 'There is no unsubscribe link, so one is added at the end of the mail.')]
      : []),
    ...(lacksAddress ? [note('body', 'There is no footer. Laws ask for your postal address in every mailing.')] : []),
    ...(content.preheader === null
      ? [note('preheader', 'Without a preview text, mail programs show the beginning of the mail beside the subject.')]
      : []),
  ];
}

/** The names that no person has; they would be left empty in every mail. */
function unknownFields(variables: readonly string[], types: readonly FieldType[]): MailingProblem[] {
  const known = new Set(types.flatMap(({ name }) => [name, slugOf(name)]));
  const roots = variables
    .map((path) => /^\[([^\]]+)\]|^[^.[]+/.exec(path))
    .flatMap((found) => found?.[1] ?? found?.[0] ?? []);
  return [...new Set(roots)]
    .filter((name) => !isBuiltIn(name) && !known.has(name))
    .map((name) => ({
      field: 'body',
      severity: 'warning',
      message: `Nobody has a field called ${name}, so it stays empty.`,
    }));
}

function note(field: string, message: string): MailingProblem {
  return { field, severity: 'note', message };
}
