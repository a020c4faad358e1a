/**
 * The one catalogue of errors that a caller may see. Each area turns them into its own body;
 * anything thrown that is not an AppError is logged and answered with a bare 500.
 */
const CATALOGUE = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_regex: { status: 400, title: 'The regular expression is not valid' },
  invalid_access_token: { status: 401, title: 'Invalid Access Token' },
  signed_out: { status: 401, title: 'Nobody is signed in' },
  agreement_missing: { status: 403, title: 'No business associate agreement in force' },
  step_up_required: { status: 403, title: 'The second factor has to be shown again' },
  forbidden: { status: 403, title: 'Forbidden' },
  https_required: { status: 403, title: 'HTTPS required' },
  not_found: { status: 404, title: 'Not found' },
  message_not_found: { status: 404, title: 'Message was not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  idempotency_conflict: { status: 409, title: 'Idempotency key used with another request' },
  conflict: { status: 409, title: 'Conflict' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  range_not_satisfiable: { status: 416, title: 'Range not satisfiable' },
  unprocessable: { status: 422, title: 'The request cannot be carried out' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'Headers too large' },
  internal: { status: 500, title: 'Internal error' },
  not_implemented: { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const;

export type ErrorCode = keyof typeof CATALOGUE;

export interface ErrorExtras {
  /** What is wrong, by field: names and rules only, never the submitted value. */
  fields?: Record<string, string[]>;
  retryAfterSeconds?: number;
  /** What the error body carries beside the error, where the contract says so. */
  beside?: Record<string, string>;
}

export class AppError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  readonly title: string;
  readonly fields: Record<string, string[]>;
  readonly retryAfterSeconds: number | undefined;
  readonly beside: Record<string, string>;

  constructor(code: ErrorCode, detail?: string, extras: ErrorExtras = {}) {
    const { status, title } = CATALOGUE[code];
    super(detail ?? title);
    this.code = code;
    this.status = status;
    this.title = title;
    this.fields = extras.fields ?? {};
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.beside = extras.beside ?? {};
  }
}

export function invalidField(field: string, rule: string): AppError {
  return new AppError('invalid_request', `${field}: ${rule}`, { fields: { [field]: [rule] } });
}

/** The refusal of an id that names nothing, in the field where it was sent. */
export function missingField(field: string, rule: string): AppError {
  return new AppError('not_found', `${field}: ${rule}`, { fields: { [field]: [rule] } });
}
