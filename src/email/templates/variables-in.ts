import { parseTemplate } from './engine/parse.ts';
import { variablesOf } from './engine/variables.ts';
import type { TemplateText } from './store.ts';

/** Every variable that body and subject use, sorted. */
export function variablesIn({ subject, body, rawHtml }: Omit<TemplateText, 'strict'>): string[] {
  const names = new Set(variablesOf(parseTemplate(body, 'html', { rawHtml })));
  for (const each of subject === null ? [] : variablesOf(parseTemplate(subject, 'header'))) names.add(each);
  return [...names].toSorted();
}
