import { parseTemplate, RenderLimit, renderTemplate } from '../../../email/index.ts';
import type { FieldType } from '../../fields/field-type.ts';
import { ContentMistake } from '../content/mistake.ts';
import { prepareContent } from '../content/prepare-content.ts';
import { classesOf } from '../field-classes.ts';
import { BLANK, type MailingContent, subjectLine } from '../mailing.ts';
import { bodyOf } from '../prepare.ts';
import type { MailingChange } from '../read-mailing.ts';
import { findProblems } from './find-problems.ts';
import type { MailingProblem } from './problem.ts';

/** A mailing as one reader would get it; without its parts where a mistake keeps it from being written. */
export interface Preview {
  subject: string | null;
  preheader: string | null;
  html: string | null;
  text: string | null;
  problems: MailingProblem[];
}

const NOTHING = { subject: null, preheader: null, html: null, text: null };

/** Writes a mailing for one person, with whatever should be known before it is sent. Nothing is kept. */
export function previewMailing(
  { subject = '', templateType = 'html', content: given }: MailingChange,
  types: readonly FieldType[],
  person: Record<string, unknown>,
): Preview {
  const content: MailingContent = { ...BLANK, ...given };
  const body = bodyOf(templateType, content);
  if (body === null) return refused('body', 'The mailing says nothing yet.');
  const line = subjectLine({ subject, default_subject: content.default_subject });
  try {
    const source = { body, subject: line, preheader: content.preheader, text: content.text_part };
    const prepared = prepareContent(source, classesOf(types));
    const render = (part: string, kind: 'html' | 'text' | 'header') =>
      renderTemplate(parseTemplate(part, kind), person).text;
    return {
      subject: render(prepared.subject, 'header'),
      preheader: prepared.preheader === null ? null : render(prepared.preheader, 'header'),
      html: render(prepared.html, 'html'),
      text: render(prepared.text, 'text'),
      problems: findProblems({ templateType, content, prepared, types }),
    };
  } catch (error) {
    if (error instanceof ContentMistake) return refused(error.part, error.message);
    if (error instanceof RenderLimit)
      return refused('body', 'With the values of this person the mail would become too long.');
    throw error;
  }
}

function refused(field: string, message: string): Preview {
  return { ...NOTHING, problems: [{ field, severity: 'error', message }] };
}
