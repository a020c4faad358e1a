import type { TSchema } from 'typebox';
import type { AppError } from '../errors.ts';
import type { HeaderForm } from './access.ts';
import type { Endpoint } from './endpoint.ts';

/** One of the three API areas: where it answers, how its callers identify themselves, how its errors look. */
export interface Area {
  name: string;
  /** The canonical base first, then the aliases that clients in the field use. */
  bases: string[];
  /** What the area answers for at the root of the server, where '' is one of its bases. */
  rootPaths?: string[];
  headerForms: HeaderForm[];
  /** Whether only the product's own pages may call what needs no session. */
  ownPagesOnly?: true;
  errorSchema: TSchema;
  errorBody(error: AppError): object;
  /** The status of what fails validation; 400 where nothing is said. */
  invalidStatus?: 422;
  /** Paths that clients know and that this version answers with 501, whatever stands behind them. */
  notImplemented?: string[];
  endpoints: Endpoint[];
}
