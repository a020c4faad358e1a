/** A submission as far as it leaves the house: decrypted, its answers by the names that its form version had. */
export interface ExportedSubmission {
  id: string;
  createdAt: Date;
  formVersion: number;
  submitterEmail: string | null;
  /** When it was last amended; the answers are then those that are right now. */
  amendedAt?: Date;
  /** By question name, normalised. */
  answers: Record<string, unknown>;
  /** Keys that no question has or that were not asked. */
  unasked: string[];
  attachments: ExportedAttachment[];
  signature: ExportedSignature | null;
  /** Whether nobody here can read what was answered. */
  isSealed?: boolean;
}

export interface ExportedAttachment {
  id: string;
  name: string;
  type: string;
  size: number;
  sha256: string;
}

export interface ExportedSignature {
  name: string | null;
  method: 'typed' | 'drawn' | 'uploaded';
  signedAt: Date;
  consentText: string | null;
  formVersion: number;
  formHash: string;
  answersHash: string;
  image: Buffer | null;
}

/** The time as tables and pages show it, in UTC: `2024-06-05 02:22:00 PM`. */
export function timeText(time: Date): string {
  const [day = '', clock = ''] = time.toISOString().split('T');
  const hour = time.getUTCHours();
  const shown = String(hour % 12 || 12).padStart(2, '0');
  return `${day} ${shown}${clock.slice(2, 8)} ${hour < 12 ? 'AM' : 'PM'}`;
}
