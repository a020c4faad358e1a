/** How a form stands open to those who fill it in. */
export interface PageSettings {
  /** Nothing is taken from this moment on. */
  closesAt: Date | null;
  /** Nothing is taken while there are as many submissions. */
  mostSubmissions: number | null;
  passwordHash: string | null;
  /** Whether the form is filled in only by links that take one submission each. */
  singleUse: boolean;
  /** The origins whose pages may frame the form. */
  frameOrigins: string[];
  /** Whether somebody may go on with the form on another device. */
  resumable: boolean;
  proofOfWork: 'off' | 'monitor' | 'enforce';
  /** What is done about what only programs do: filling in what nobody sees, and being quicker than anybody. */
  traps: 'off' | 'monitor' | 'enforce';
  /** The age recipients to which the browser encrypts all answers; none where the server may read them. */
  sealedTo: string[];
}

/** A form of which nothing is said. */
const OPEN_TO_ALL: PageSettings = {
  closesAt: null,
  mostSubmissions: null,
  passwordHash: null,
  singleUse: false,
  frameOrigins: [],
  resumable: false,
  proofOfWork: 'off',
  traps: 'monitor',
  sealedTo: [],
};

/** A row of form_pages, as it comes by JSON or by columns. */
export interface PageRow {
  closes_at: Date | string | null;
  most_submissions: number | null;
  password_hash: string | null;
  single_use: boolean;
  frame_origins: string[];
  resumable: boolean;
  proof_of_work: PageSettings['proofOfWork'];
  traps: PageSettings['traps'];
  sealed_to: string[];
}

/** Reads how a form stands open from its row, if it has one. */
export function toPageSettings(row: PageRow | null | undefined): PageSettings {
  if (row === null || row === undefined) return OPEN_TO_ALL;
  return {
    closesAt: row.closes_at === null ? null : new Date(row.closes_at),
    mostSubmissions: row.most_submissions,
    passwordHash: row.password_hash,
    singleUse: row.single_use,
    frameOrigins: row.frame_origins,
    resumable: row.resumable,
    proofOfWork: row.proof_of_work,
    traps: row.traps,
    sealedTo: row.sealed_to,
  };
}
