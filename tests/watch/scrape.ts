import assert from 'node:assert/strict';
import type { TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';

const LINE = /^(\w+)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** A line of a scrape. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

/** Everything that the product tells a scraper. */
export async function scrape(app: TestApp): Promise<Sample[]> {
  const { status, text } = await app.request('GET', '/metrics');
  assert.equal(status, 200);
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(LABEL)].map(([, label, content]) => [label, content]);
    return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
  });
}

/** The sum of the lines with a name and these labels; null where there is none. */
export async function measure(app: TestApp, name: string, labels: Record<string, string> = {}): Promise<number | null> {
  const found = (await scrape(app)).filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}

/** Fails unless what was measured grows by so much while something is done. */
export async function grows(
  app: TestApp,
  [name, labels, by]: [name: string, labels: Record<string, string>, by: number],
  work: () => Promise<unknown>,
): Promise<void> {
  const before = (await measure(app, name, labels)) ?? 0;
  await work();
  await eventually(async () => ((await measure(app, name, labels)) ?? 0) === before + by, 10_000).catch(async () => {
    const now = await measure(app, name, labels);
    assert.fail(`${name} ${JSON.stringify(labels)} was ${before} and is ${now}, not ${before + by}`);
  });
}
