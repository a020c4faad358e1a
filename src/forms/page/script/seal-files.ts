import { sealStreamTo } from '../../end-to-end/age.ts';
import type { SealedFile } from '../../end-to-end/content.ts';
import { slicedHash } from '../../end-to-end/sliced-hash.ts';
import type { sendFile } from './upload/send-file.ts';
import type { KeptFiles } from './verdict.ts';

const NAME_BYTES = 16;
const ANY_TYPE = 'application/octet-stream';

/** The files of a form that are encrypted before they are sent, each under a name that says nothing. */
export class SealedUploads {
  readonly #recipients: readonly string[];
  readonly #arrived = new Map<string, Omit<SealedFile, 'field'>>();

  constructor(recipients: readonly string[]) {
    this.#recipients = recipients;
  }

  /** A way to send files that encrypts them first. */
  wrap(send: typeof sendFile): typeof sendFile {
    return (file, to, watching) => {
      let giveUp: (() => void) | null = null;
      let isGivenUp = false;
      const sending = async (): Promise<void> => {
        const { sealed, ...about } = await this.#seal(file);
        if (isGivenUp) return;
        const arrived = (token: string): void => {
          this.#arrived.set(token, about);
          watching.arrived(token);
        };
        giveUp = send(sealed, { ...to, path: '' }, { ...watching, arrived });
      };
      sending().catch(() => watching.failed());
      return () => {
        isGivenUp = true;
        giveUp?.();
      };
    };
  }

  /** What is told of files to those who may read it, with the question of each. */
  describe(kept: Readonly<KeptFiles>): SealedFile[] {
    return Object.entries(kept).flatMap(([field, tokens]) =>
      tokens.flatMap((token) => {
        const about = this.#arrived.get(token);
        return about === undefined ? [] : [{ ...about, field }];
      }),
    );
  }

  async #seal(file: File): Promise<Omit<SealedFile, 'field'> & { sealed: File }> {
    const storedAs = `${randomName()}.age`;
    const hash = await slicedHash(file);
    const stream = await sealStreamTo(this.#recipients, file.stream());
    const sealed = new File([await new Response(stream as BodyInit).blob()], storedAs, { type: ANY_TYPE });
    return { storedAs, name: file.name, type: file.type || ANY_TYPE, size: file.size, hash, sealed };
  }
}

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NAME_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
