import type { DataReader } from './data-reader.ts';
import type { Line } from './line-reader.ts';

/** What a session needs of the connection under it. */
export interface Wire {
  /** The network of the client, by its pseudonym. */
  readonly network: string;
  readonly secure: boolean;
  reply(text: string): void;
  /** Replies and hangs up. */
  close(text: string): void;
  /** Whether the client sent more than the command that is carried out now. */
  hasMore(): boolean;
  /** Goes on under TLS, with a new session. */
  startTls(): void;
}

/** What is said to one client: what was agreed on so far, and what each line leads to. */
export interface Dialogue {
  greet(): void;
  /** What collects a message, from DATA until the reply to it. */
  readonly data: DataReader | null;
  /** Carries out a line; where that takes time, it answers with a promise. */
  take(line: Line): Promise<void> | undefined;
  /** Does what the message that DATA brought asks for, and replies to it. */
  finishData(data: DataReader): Promise<void>;
  /** Forgets the message that was begun. */
  abandon(): void;
}
