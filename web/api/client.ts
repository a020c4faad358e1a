import { words } from '../words/shared.ts';
import { ADDRESSES, type Operations } from './operations.ts';
import { ApiProblem, readProblem } from './problem.ts';
import { sendFile } from './send-file.ts';

export type Operation = keyof Operations;
export type Reply<Op extends Operation> = Operations[Op]['reply'];
export type Body<Op extends Operation> = Operations[Op]['body'];

type Given<Name extends string, Value> = [Value] extends [undefined]
  ? { [name in Name]?: undefined }
  : Partial<Value> extends Value
    ? { [name in Name]?: Value }
    : { [name in Name]: Value };

/** What an operation takes: only what its endpoint declares. */
export type Input<Op extends Operation> = Given<'params', Operations[Op]['params']> &
  Given<'query', Operations[Op]['query']> &
  Given<'body', Operations[Op]['body']>;

interface AnyInput {
  params?: Record<string, string | number> | undefined;
  query?: Record<string, string | number | boolean | string[] | undefined> | undefined;
  body?: unknown;
}

export interface CallOptions {
  signal?: AbortSignal;
  /** A poll rather than something that a person did: it does not keep the session open. */
  background?: boolean;
  headers?: Record<string, string>;
  /** Sent as it is, instead of a JSON body. */
  raw?: Blob | FormData;
  /** Is told where it had been done by an earlier request with the same Idempotency-Key. */
  onReplayed?(): void;
  /** Is told which share of it has left, from 0 to 1. */
  onSent?(share: number): void;
}

/** What the session does when a call needs a person: it asks for the second factor, or for signing in again. */
interface Doorkeeper {
  csrf(): string | null;
  /** The id of whoever is signed in. */
  user(): string | null;
  /** Resolves to whether the second factor was shown. */
  stepUp(): Promise<boolean>;
  signedOut(): void;
}

let doorkeeper: Doorkeeper = {
  csrf: () => null,
  user: () => null,
  stepUp: async () => false,
  signedOut: () => undefined,
};

/** Names who answers when a call is refused for lack of a session or of a fresh second factor. */
export function setDoorkeeper(next: Doorkeeper): void {
  doorkeeper = next;
}

/** The id of whoever is signed in, or null. */
export function whoCalls(): string | null {
  return doorkeeper.user();
}

/** Calls an operation of the product; throws an ApiProblem where it refuses. */
export async function call<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  options: CallOptions = {},
): Promise<Reply<Op>> {
  const reply = await send(op, input, options);
  if (reply.headers.get('idempotency-replayed') === 'true') options.onReplayed?.();
  const isJson = reply.headers.get('content-type')?.includes('json') === true;
  return (isJson ? await whole(reply.json()) : undefined) as Reply<Op>;
}

/** Calls an operation that answers with something else than JSON. */
export async function fetchBlob<Op extends Operation>(
  op: Op,
  input: Input<Op>,
  options: CallOptions = {},
): Promise<Blob> {
  return whole((await send(op, input, options)).blob());
}

/** Saves what an operation answers as a file, under the name that the server gives it. */
export async function download<Op extends Operation>(op: Op, input: Input<Op>, name: string): Promise<void> {
  const reply = await send(op, input, {});
  const given = /filename\*?=(?:UTF-8'')?"?([^";]+)"?/i.exec(reply.headers.get('content-disposition') ?? '')?.[1];
  saveFile(await whole(reply.blob()), given === undefined ? name : decodeURIComponent(given));
}

/** The body of an answer; the connection may break while it comes. */
async function whole<Content>(content: Promise<Content>): Promise<Content> {
  try {
    return await content;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiProblem(0, words.noConnection);
  }
}

/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The address of an operation, for what the browser loads by itself. */
export function addressOf<Op extends Operation>(op: Op, input: Input<Op>): string {
  return writeAddress(op, input);
}

function writeAddress(op: Operation, { params = {}, query = {} }: AnyInput): string {
  const [, path = ''] = ADDRESSES[op].split(' ');
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(String(params[name])));
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const each of Array.isArray(value) ? value : [value]) asked.append(name, String(each));
  }
  return asked.size === 0 ? filled : `${filled}?${asked}`;
}

async function send(op: Operation, input: AnyInput, options: CallOptions): Promise<Response> {
  const reply = await sendOnce(op, input, options);
  if (reply.ok) return reply;
  const problem = await readProblem(reply);
  if (problem.status === 401 && !ADDRESSES[op].includes('/app/api/sign_in')) doorkeeper.signedOut();
  if (!problem.stepUp) throw problem;
  if (!(await doorkeeper.stepUp())) throw new ApiProblem(problem.status, words.factorNotShown, { stepUp: true });
  const again = await sendOnce(op, input, options);
  if (!again.ok) throw await readProblem(again);
  return again;
}

async function sendOnce(op: Operation, input: AnyInput, options: CallOptions): Promise<Response> {
  const [method = 'GET'] = ADDRESSES[op].split(' ');
  const headers = new Headers(options.headers);
  const csrf = doorkeeper.csrf();
  if (method !== 'GET' && csrf !== null) headers.set('x-csrf-token', csrf);
  if (options.background === true) headers.set('x-carepost-background', '1');
  if (input.body !== undefined) headers.set('content-type', 'application/json');
  const { raw, onSent } = options;
  const body = raw ?? (input.body === undefined ? null : JSON.stringify(input.body));
  const address = writeAddress(op, input);
  try {
    if (raw !== undefined && onSent !== undefined) {
      return await sendFile(address, { method, headers, body: raw }, onSent);
    }
    return await fetch(address, {
      method,
      headers,
      body,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw new ApiProblem(0, words.noConnection);
  }
}
