import { AppError, invalidField } from '../../platform/errors.ts';
import type { Message } from '../submission/message.ts';
import type { TemplateChoice } from '../submission/template-choice.ts';
import { parseTemplate, type Template, TemplateMistake } from './engine/parse.ts';
import { RenderLimit, renderTemplate } from './engine/render.ts';
import {
  findTemplate,
  findTemplateByName,
  type StoredTemplate,
  type TemplateDeps,
  type TemplateText,
} from './store.ts';

const MOST_PARSED = 500;
/** How much memory those that are kept may take together, in bytes and roughly. */
const LARGEST_PARSED = 64 * 2 ** 20;
const OF_A_MUSTACHE = 500;

interface ParsedTemplate {
  subject: Template | null;
  body: Template;
}

/** A rendered template, and the variables that it looked for in vain. */
export interface RenderedTemplate {
  subject: string | null;
  html: string;
  missing: string[];
  /** What a message with a subject of its own lacks. */
  missingInBody: string[];
}

export type ApplyTemplate = (customerId: number, message: Message, choice: TemplateChoice) => Promise<Message>;

/** Renders a stored template. */
export type RenderStored = (template: StoredTemplate, variables: Record<string, unknown>) => RenderedTemplate;

/** Parses each version once: versions never change. */
export function createRenderStored(): RenderStored {
  const parsed = new Map<string, { template: ParsedTemplate; size: number }>();
  let total = 0;
  const forget = (name: string) => {
    total -= parsed.get(name)?.size ?? 0;
    parsed.delete(name);
  };
  return (template, variables) => {
    const name = `${template.id}/${template.version}`;
    const known = parsed.get(name) ?? { template: parseText(template), size: sizeOf(template) };
    forget(name);
    parsed.set(name, known); // the last used last, so that the first is the one to forget
    total += known.size;
    for (const oldest of parsed.keys()) {
      if (parsed.size <= MOST_PARSED && total <= LARGEST_PARSED) break;
      forget(oldest);
    }
    return render(known.template, variables);
  };
}

/** Renders a text that is nowhere stored. */
export function renderText(text: TemplateText, variables: Record<string, unknown>): RenderedTemplate {
  return render(parseText(text), variables);
}

function render(parsed: ParsedTemplate, variables: Record<string, unknown>): RenderedTemplate {
  try {
    const body = renderTemplate(parsed.body, variables);
    const subject = parsed.subject === null ? null : renderTemplate(parsed.subject, variables);
    const missing = [...new Set([...body.missing, ...(subject?.missing ?? [])])].toSorted();
    return { subject: subject?.text ?? null, html: body.text, missing, missingInBody: body.missing };
  } catch (error) {
    if (error instanceof RenderLimit) throw invalidField('template_variables', error.message);
    throw error;
  }
}

function sizeOf({ subject, body }: TemplateText): number {
  const source = `${subject ?? ''}${body}`;
  return source.length + OF_A_MUSTACHE * (source.split('{{').length - 1);
}

function parseText({ subject, body, rawHtml }: TemplateText): ParsedTemplate {
  return {
    subject: subject === null ? null : parseTemplate(subject, 'header'),
    body: parseTemplate(body, 'html', { rawHtml }),
  };
}

/**
 * Builds what turns a message and the choice of a template into the message that is accepted. It is
 * rendered before it is accepted: a missing variable or a bomb is the caller's to know, not a bounce.
 */
export function createApplyTemplate(deps: TemplateDeps, renderStored: RenderStored): ApplyTemplate {
  return async (customerId, message, { template: wanted, variables }) => {
    const stored = await deps.db.tenant([customerId], (tx) =>
      'id' in wanted
        ? findTemplate(tx, deps.requireOwn, customerId, wanted.id)
        : findTemplateByName(tx, customerId, wanted.name),
    );
    const rendered = renderStored(stored, variables);
    const { subject, missing, literalSubject } = chooseSubject(message.subject, rendered, variables);
    if (stored.strict && missing.length > 0) {
      throw new AppError('invalid_request', `template_variables: missing ${missing.join(', ')}`, {
        fields: { template_variables: missing.map((name) => `missing ${name}`) },
      });
    }
    const template = { id: stored.id, version: stored.version };
    return {
      ...message,
      subject,
      html: rendered.html === '' ? null : rendered.html,
      handling: { ...message.handling, template, literalSubject },
    };
  };
}

/** The subject that a message has itself, or else the one of its template, and what is missing for it and the body. */
function chooseSubject(own: string, template: RenderedTemplate, variables: Record<string, unknown>) {
  if (own === '') return { subject: template.subject ?? '', missing: template.missing, literalSubject: true };
  if (!own.includes('{{')) return { subject: own, missing: template.missingInBody, literalSubject: false };
  const { subject, missing } = renderSubject(own, variables);
  const lacking = [...new Set([...template.missingInBody, ...missing])].toSorted();
  return { subject: subject ?? '', missing: lacking, literalSubject: true };
}

function renderSubject(subject: string, variables: Record<string, unknown>): RenderedTemplate {
  try {
    return renderText({ subject, body: '', strict: false, rawHtml: false }, variables);
  } catch (error) {
    throw error instanceof TemplateMistake ? invalidField('headers.subject', error.message) : error;
  }
}
