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
