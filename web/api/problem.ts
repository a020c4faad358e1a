import { words } from '../words/shared.ts';
import { inWords } from './in-words.ts';

interface Extras {
  fields?: Record<string, string[]>;
  stepUp?: boolean;
  untranslated?: string;
}

/** What went wrong with a call, in words that may be shown. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Problems by the field that they are about, in words as well. */
  readonly fields: Record<string, string[]>;
  readonly stepUp: boolean;
  /** The message with the names that the API has for fields. */
  readonly untranslated: string;

  constructor(status: number, message: string, { fields = {}, stepUp = false, untranslated = message }: Extras = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.stepUp = stepUp;
    this.untranslated = untranslated;
  }
}

/** Any of the shapes in which the areas tell errors. */
interface ErrorBody {
  error?: string;
  message?: string;
  errors?: { details?: string; title?: string }[];
  fields?: Record<string, string[]>;
  details?: Record<string, string[]>;
}

/** Reads a refusal, in whichever shape its area gave it; what stands in front of the server answers in none of them. */
export async function readProblem(reply: Response): Promise<ApiProblem> {
  const stepUp = reply.headers.get('step-up') === 'required';
  const body = (await reply.json().catch(() => ({}))) as ErrorBody;
  const message = body.message ?? body.errors?.[0]?.details ?? body.error ?? words.serverFailed(reply.status);
  const fields = fieldsInWords(body.fields ?? body.details ?? {});
  return new ApiProblem(reply.status, inWords(message), { fields, stepUp, untranslated: message });
}

function fieldsInWords(fields: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(fields).map(([name, rules]) => [name, rules.map(inWords)]));
}

/** The problem that a thrown value stands for; the network failing is one too. */
export function problemOf(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem(0, error instanceof Error ? error.message : String(error));
}
