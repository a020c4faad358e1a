/** What stands between {{ and }}, read: the part of Go's text/template that the chart uses, and nothing else. */
export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; pipeline: Expression }
  | { kind: 'set'; name: string; value: Expression }
  | { kind: 'if'; branches: { test: Expression; body: Node[] }[]; otherwise: Node[] }
  | { kind: 'with'; value: Expression; body: Node[] }
  | { kind: 'range'; over: Expression; names: string[]; body: Node[] };

export type Expression =
  | { kind: 'literal'; value: unknown }
  | { kind: 'path'; from: string; steps: string[] }
  | { kind: 'call'; name: string; args: Expression[] };

export interface Template {
  nodes: Node[];
  defined: Map<string, Node[]>;
}

interface Token {
  text?: string;
  action?: string;
}

const TAG = /\{\{(- )?((?:"(?:[^"\\]|\\.)*"|\/\*[\s\S]*?\*\/|[^"}])*?)( -)?\}\}/g;
const WORD = /"(?:[^"\\]|\\.)*"|:=|[()|,]|[^\s()|,"]+/g;

/** Reads a template; throws at whatever is not part of it. */
export function parseTemplate(source: string): Template {
  const tokens = tokensOf(source);
  const defined = new Map<string, Node[]>();
  let place = 0;

  function body(): Node[] {
    const nodes: Node[] = [];
    while (place < tokens.length) {
      const { text, action } = tokens[place] as Token;
      if (action === undefined) {
        nodes.push({ kind: 'text', text: text ?? '' });
        place += 1;
        continue;
      }
      if (action === 'end' || action === 'else' || action.startsWith('else if ')) return nodes;
      place += 1;
      const [word = ''] = action.split(/\s/);
      const rest = action.slice(word.length).trim();
      if (action.startsWith('/*')) continue;
      if (word === 'define') {
        defined.set(JSON.parse(rest) as string, closed());
      } else if (word === 'if') nodes.push(conditional(rest));
      else if (word === 'with') nodes.push({ kind: 'with', value: expressionOf(rest), body: closed() });
      else if (word === 'range') nodes.push(range(rest));
      else if (/^\$\w+\s*:=/.test(action)) {
        const [name = '', value = ''] = action.split(/\s*:=\s*/);
        nodes.push({ kind: 'set', name, value: expressionOf(value) });
      } else nodes.push({ kind: 'value', pipeline: expressionOf(action) });
    }
    return nodes;
  }

  function closed(): Node[] {
    const nodes = body();
    if (tokens[place]?.action !== 'end') throw new Error('a block of the template has no end');
    place += 1;
    return nodes;
  }

  function conditional(first: string): Node {
    const branches = [{ test: expressionOf(first), body: body() }];
    let otherwise: Node[] = [];
    while (tokens[place]?.action !== 'end') {
      const action = tokens[place]?.action ?? '';
      place += 1;
      if (action === 'else') otherwise = body();
      else if (action.startsWith('else if ')) {
        branches.push({ test: expressionOf(action.slice('else if '.length)), body: body() });
      } else throw new Error('an if of the template has no end');
    }
    place += 1;
    return { kind: 'if', branches, otherwise };
  }

  function range(rest: string): Node {
    const [names, over] = rest.includes(':=') ? rest.split(/\s*:=\s*/) : ['', rest];
    const variables = names === undefined || names === '' ? [] : names.split(/\s*,\s*/);
    return { kind: 'range', over: expressionOf(over ?? ''), names: variables, body: closed() };
  }

  const nodes = body();
  if (place < tokens.length) throw new Error('the template ends a block that it did not begin');
  return { nodes, defined };
}

/** A dash and a blank take the white space on that side away. */
function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let last = 0;
  let trim = false;
  for (const match of source.matchAll(TAG)) {
    const [whole, before, action = '', after] = match;
    let text = source.slice(last, match.index);
    if (trim) text = text.trimStart();
    if (before !== undefined) text = text.trimEnd();
    tokens.push({ text }, { action: action.trim() });
    trim = after !== undefined;
    last = match.index + whole.length;
  }
  const rest = source.slice(last);
  tokens.push({ text: trim ? rest.trimStart() : rest });
  return tokens;
}

/** A pipeline: each part is called with what the one before it gave as its last argument. */
function expressionOf(source: string): Expression {
  const words = source.match(WORD) ?? [];
  let place = 0;

  function pipeline(): Expression {
    let value = command();
    while (words[place] === '|') {
      place += 1;
      const next = command();
      if (next.kind !== 'call') throw new Error(`nothing is piped into ${JSON.stringify(next)}`);
      value = { ...next, args: [...next.args, value] };
    }
    return value;
  }

  function command(): Expression {
    const first = operand();
    if (first.kind !== 'call') return first;
    const args: Expression[] = [];
    while (place < words.length && words[place] !== '|' && words[place] !== ')') args.push(operand());
    return { ...first, args };
  }

  function operand(): Expression {
    const word = words[place] ?? '';
    place += 1;
    if (word === '(') {
      const inner = pipeline();
      if (words[place] !== ')') throw new Error(`a parenthesis stays open in ${source}`);
      place += 1;
      return inner;
    }
    if (word.startsWith('"')) return { kind: 'literal', value: JSON.parse(word) };
    if (/^-?\d+$/.test(word)) return { kind: 'literal', value: Number(word) };
    if (word === 'true' || word === 'false') return { kind: 'literal', value: word === 'true' };
    const [, from = '', path = ''] = /^(\$\w*|)((?:\.\w+)*\.?)$/.exec(word) ?? [];
    if (word === '.' || word.startsWith('.') || word.startsWith('$')) {
      return { kind: 'path', from: from === '' ? '.' : from, steps: path.split('.').filter((step) => step !== '') };
    }
    if (!/^[a-zA-Z]\w*$/.test(word)) throw new Error(`${word} of the template is not known here`);
    return { kind: 'call', name: word, args: [] };
  }

  const value = pipeline();
  if (place < words.length) throw new Error(`more than one expression in ${source}`);
  return value;
}
