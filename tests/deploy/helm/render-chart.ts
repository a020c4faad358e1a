import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { type Expression, type Node, parseTemplate } from './parse-template.ts';

type Scope = Map<string, unknown>;
type Values = Record<string, unknown>;

const isTrue = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  value !== 0 &&
  !(Array.isArray(value) && value.length === 0) &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

const indented = (spaces: number, text: string) => text.replace(/^/gm, ' '.repeat(spaces));

/** The functions that the chart calls, as Go and sprig have them. */
const FUNCTIONS: Record<string, (...args: never[]) => unknown> = {
  printf: (form: string, ...args: unknown[]) =>
    args.reduce<string>((text, arg) => text.replace('%s', String(arg)), form),
  quote: (value: unknown) => JSON.stringify(String(value)),
  default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
  required: (words: string, value: unknown) => {
    if (!isTrue(value)) throw new Error(words);
    return value;
  },
  not: (value: unknown) => !isTrue(value),
  eq: (one: unknown, ...others: unknown[]) => others.includes(one),
  ne: (one: unknown, other: unknown) => one !== other,
  and: (...values: unknown[]) => values.find((value) => !isTrue(value)) ?? values.at(-1),
  or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
  list: (...items: unknown[]) => items,
  dict: (...pairs: unknown[]) =>
    Object.fromEntries(pairs.flatMap((key, index) => (index % 2 === 0 ? [[key, pairs[index + 1]]] : []))),
  join: (between: string, items: string[]) => items.join(between),
  trim: (text: string) => text.trim(),
  trunc: (length: number, text: string) => text.slice(0, length),
  trimSuffix: (end: string, text: string) => (text.endsWith(end) ? text.slice(0, -end.length) : text),
  nindent: (spaces: number, text: string) => `\n${indented(spaces, text)}`,
  toYaml: (value: unknown) => stringify(value).trimEnd(),
};

/** What is written for a value; maps and lists have to go through toYaml. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error('a map or a list is written without toYaml');
}

/** Renders a chart as `helm template NAME` does, for the constructs that ours uses; gives the text by file. */
export function renderChart(folder: string, release: string, values: Values): Map<string, string> {
  const chart = parse(readFileSync(join(folder, 'Chart.yaml'), 'utf8')) as Values;
  const root = {
    Values: values,
    Chart: { AppVersion: chart.appVersion, Name: chart.name },
    Release: { Name: release, Service: 'Helm' },
  };
  const files = globSync('templates/*', { cwd: folder }).toSorted();
  const parsed = files.map((file) => ({ file, ...parseTemplate(readFileSync(join(folder, file), 'utf8')) }));
  const defined = new Map(parsed.flatMap((template) => [...template.defined]));

  function render(nodes: Node[], dot: unknown, scope: Scope): string {
    return nodes.map((node) => renderNode(node, dot, scope)).join('');
  }

  function renderNode(node: Node, dot: unknown, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'value') return textOf(evaluate(node.pipeline, dot, scope));
    if (node.kind === 'range') return renderRange(node, dot, scope);
    if (node.kind === 'set') {
      scope.set(node.name, evaluate(node.value, dot, scope));
      return '';
    }
    if (node.kind === 'with') {
      const value = evaluate(node.value, dot, scope);
      return isTrue(value) ? render(node.body, value, new Map(scope)) : '';
    }
    const chosen = node.branches.find(({ test }) => isTrue(evaluate(test, dot, scope)));
    return render(chosen?.body ?? node.otherwise, dot, new Map(scope));
  }

  /** Maps are gone through in the order of their keys. */
  function renderRange(node: Extract<Node, { kind: 'range' }>, dot: unknown, scope: Scope): string {
    const over = evaluate(node.over, dot, scope) ?? [];
    const entries: [unknown, unknown][] = Array.isArray(over)
      ? over.map((value, index) => [index, value])
      : Object.entries(over).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const bind = ([key, value]: [unknown, unknown]) =>
      node.names.map((name, index): [string, unknown] => [name, node.names.length === 2 && index === 0 ? key : value]);
    return entries.map((entry) => render(node.body, entry[1], new Map([...scope, ...bind(entry)]))).join('');
  }

  function evaluate(expression: Expression, dot: unknown, scope: Scope): unknown {
    if (expression.kind === 'literal') return expression.value;
    if (expression.kind === 'path') {
      if (expression.from !== '.' && !scope.has(expression.from)) throw new Error(`${expression.from} is not set`);
      const start = expression.from === '.' ? dot : scope.get(expression.from);
      return expression.steps.reduce((value, step) => (value as Values | undefined)?.[step], start);
    }
    const args = expression.args.map((arg) => evaluate(arg, dot, scope));
    if (expression.name === 'include') {
      const nodes = defined.get(String(args[0]));
      if (nodes === undefined) throw new Error(`${String(args[0])} is not defined`);
      return render(nodes, args[1], new Map([['$', args[1]]]));
    }
    const call = FUNCTIONS[expression.name];
    if (call === undefined) throw new Error(`${expression.name} is not known here`);
    return call(...(args as never[]));
  }

  const shown = parsed.filter(({ file }) => file.endsWith('.yaml'));
  return new Map(shown.map(({ file, nodes }) => [file, render(nodes, root, new Map([['$', root]]))]));
}
