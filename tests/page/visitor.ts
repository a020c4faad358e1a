import assert from 'node:assert/strict';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { TestApp } from '../support/app.ts';

type Element = ReturnType<typeof DomUtils.getElementsByTagName>[number];

/** What a visitor types or chooses, by the names of controls; null takes it away. */
export type Filling = Record<string, string | string[] | null>;

export interface ChosenFile {
  control: string;
  name: string;
  type?: string;
  content: string | Buffer;
}

/** A page as somebody without script sees it, and what they can do with it. */
export interface Page {
  status: number;
  headers: Headers;
  text: string;
  title: string;
  /** What is wrong, by the path of its question. */
  problems: Record<string, string>;
  notes: string[];
  /** The paths of the questions that are shown. */
  asked: string[];
  /** The names of files that have come, by the path of their question. */
  files: Record<string, string[]>;
  /** What the page would send if nothing was changed. */
  sent(): [string, string][];
  value(name: string): string | undefined;
  /** Presses a button with what was filled in. */
  press(button: [string, string] | null, filling?: Filling, files?: ChosenFile[]): Promise<Page>;
}

/** Opens a page of the app. */
export async function open(app: TestApp, path: string, headers: Record<string, string> = {}): Promise<Page> {
  return read(app, await fetch(app.url + path, { headers, redirect: 'manual' }));
}

/** Posts a page and follows where it leads. */
async function post(app: TestApp, action: string, body: FormData): Promise<Page> {
  const reply = await fetch(app.url + action, { method: 'POST', body, redirect: 'manual' });
  if (reply.status !== 303) return read(app, reply);
  return open(app, reply.headers.get('location') as string);
}

async function read(app: TestApp, reply: Response): Promise<Page> {
  const text = await reply.text();
  const document = parseDocument(text);
  const all = (test: (element: Element) => boolean) => DomUtils.findAll(test, document.children);
  const forms = all(({ name }) => name === 'form');
  const form = forms.find(({ attribs }) => attribs.id === 'carepost-form') ?? forms[0];
  const controls = form === undefined ? [] : controlsIn(form);
  const questions = all(({ attribs }) => attribs['data-path'] !== undefined);
  const sent = () => controls.filter(isSuccessful).flatMap(valuesOf);
  return {
    status: reply.status,
    headers: reply.headers,
    text,
    title: textOf(all(({ name }) => name === 'h1')),
    problems: problemsIn(all, questions),
    notes: all(({ attribs }) => attribs.class === 'notes' && attribs.role === 'status').flatMap((notes) =>
      DomUtils.getElementsByTagName('p', notes).map((p) => DomUtils.textContent(p)),
    ),
    asked: questions
      .filter(({ attribs }) => attribs.hidden === undefined)
      .map(({ attribs }) => attribs['data-path'] ?? ''),
    files: filesIn(all),
    sent,
    value: (name) => sent().findLast(([each]) => each === name)?.[1],
    async press(button, filling = {}, files = []) {
      assert.ok(form !== undefined, 'there is a form on the page');
      const body = new FormData();
      for (const [name, value] of sent()) if (!Object.hasOwn(filling, name)) body.append(name, value);
      for (const [name, value] of Object.entries(filling)) {
        for (const each of value === null ? [] : [value].flat()) body.append(name, each);
      }
      for (const { control, name, type = '', content } of files) {
        body.append(
          control,
          new Blob([typeof content === 'string' ? content : new Uint8Array(content)], { type }),
          name,
        );
      }
      if (button !== null) body.append(...button);
      return post(app, form.attribs.action as string, body);
    },
  };
}

function controlsIn(form: Element): Element[] {
  return DomUtils.findAll(
    ({ name, attribs }) => ['input', 'select', 'textarea'].includes(name) && attribs.name !== undefined,
    form.children,
  );
}

/** Whether a browser would send a control. */
function isSuccessful({ attribs: { disabled, type, checked } }: Element): boolean {
  if (disabled !== undefined || type === 'file' || type === 'submit') return false;
  return (type !== 'checkbox' && type !== 'radio') || checked !== undefined;
}

function valuesOf(control: Element): [string, string][] {
  const name = control.attribs.name as string;
  if (control.name === 'textarea') return [[name, DomUtils.textContent(control).replace(/^\n/, '')]];
  if (control.name !== 'select') return [[name, control.attribs.value ?? '']];
  const options = DomUtils.getElementsByTagName('option', control);
  const chosen = options.find(({ attribs }) => attribs.selected !== undefined) ?? options[0];
  return chosen === undefined ? [] : [[name, chosen.attribs.value ?? DomUtils.textContent(chosen)]];
}

function problemsIn(all: (test: (element: Element) => boolean) => Element[], questions: Element[]) {
  const places = [...questions, ...all(({ attribs }) => attribs.class?.includes('signing') === true)];
  const found = places.flatMap((place) => {
    const own = DomUtils.findAll(({ attribs }) => attribs.class === 'problem', place.children);
    const problem = own.find((each) => nearest(each) === place);
    return problem === undefined ? [] : [[place.attribs['data-path'] ?? '_signature', DomUtils.textContent(problem)]];
  });
  return Object.fromEntries(found) as Record<string, string>;
}

/** The question that an element stands in. */
function nearest(element: Element): Element | null {
  for (let around = element.parent as Element | null; around !== null; around = around.parent as Element | null) {
    if (around.attribs?.['data-path'] !== undefined || around.attribs?.class?.includes('signing') === true)
      return around;
  }
  return null;
}

function filesIn(all: (test: (element: Element) => boolean) => Element[]): Record<string, string[]> {
  const lists = all(({ attribs }) => attribs['data-files'] !== undefined).map((list) => {
    const names = DomUtils.findAll(({ attribs }) => attribs.class === 'file-name', list.children);
    return [list.attribs['data-files'], names.map((name) => DomUtils.textContent(name))];
  });
  return Object.fromEntries(lists.filter(([, names]) => (names as string[]).length > 0));
}

function textOf([element]: Element[]): string {
  return element === undefined ? '' : DomUtils.textContent(element);
}

export const NEXT: [string, string] = ['_go', 'next'];
export const BACK: [string, string] = ['_go', 'back'];
export const SUBMIT: [string, string] = ['_go', 'submit'];
