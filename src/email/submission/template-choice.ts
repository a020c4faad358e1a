import type { Static } from 'typebox';
import { invalidField } from '../../platform/errors.ts';
import { readJson } from '../../platform/http/body/json-body.ts';
import type { HandlingBody } from './read-message.ts';

/** Which template a message shall be rendered from, by id or by name, and with what. */
export interface TemplateChoice {
  template: { id: number } | { name: string };
  variables: Record<string, unknown>;
}

type Wish = Static<typeof HandlingBody>;

const LARGEST_ID = 2 ** 31 - 1;

/** The template that a message asks for, beside it or within it; null where it asks for none. */
export function readTemplateChoice(...wishes: Wish[]): TemplateChoice | null {
  const template = wishes.map((wish) => wish.template_id).find(isGiven);
  if (template === undefined) return null;
  return { template: readTemplateId(template), variables: firstVariables(wishes) };
}

function firstVariables(wishes: Wish[]): TemplateChoice['variables'] {
  for (const wish of wishes) {
    const variables = readVariables('template_variables', wish.template_variables);
    if (Object.keys(variables).length > 0) return variables;
  }
  return {};
}

function isGiven(value: Wish['template_id']): value is string | number {
  return typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');
}

/** Digits are an id, anything else is a name; a number that no id reaches names nothing. */
export function readTemplateId(value: string | number): TemplateChoice['template'] {
  const text = String(value).trim();
  if (typeof value === 'string' && !/^\d+$/.test(text)) return { name: text };
  const id = Number(text);
  return { id: Number.isInteger(id) && id > 0 && id <= LARGEST_ID ? id : 0 };
}

/** Values for a template as an object, or as the JSON text of one; nothing is written in many ways. */
export function readVariables(field: string, values: unknown): Record<string, unknown> {
  const given = typeof values === 'string' ? parse(field, values) : values;
  if (given === null || given === undefined || (Array.isArray(given) && given.length === 0)) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw invalidField(field, 'takes an object');
  return given as Record<string, unknown>;
}

function parse(field: string, text: string): unknown {
  if (text.trim() === '') return null;
  try {
    return readJson(Buffer.from(text), 'application/json; charset=utf-8');
  } catch {
    throw invalidField(field, 'is not the JSON text of an object');
  }
}
