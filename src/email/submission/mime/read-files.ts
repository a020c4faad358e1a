import { AppError, invalidField } from '../../../platform/errors.ts';
import { contentIdIn, readContentType, readFileName } from '../file-name.ts';
import type { Attachment } from '../message.ts';
import { MOST_ATTACHED_BYTES } from '../rules.ts';
import type { ParsedFile } from './parse-mime.ts';

const MOST_FILES = 1_000;

/** The attachments of a message with names that are safe to show and to save by; throws where there are too many. */
export function readFiles(files: ParsedFile[]): Attachment[] {
  const total = files.reduce((sum, { content }) => sum + content.length, 0);
  if (total > MOST_ATTACHED_BYTES) throw new AppError('payload_too_large', 'Attachments take at most 50 MB in all');
  if (files.length > MOST_FILES) throw invalidField('attachments', `takes at most ${MOST_FILES} files`);
  return files.map(({ filename, contentType, contentId, inline, content }, index) => ({
    fileName: readFileName('filename', filename ?? '') ?? `attachment-${index + 1}`,
    contentType: readContentType(contentType),
    content: Buffer.from(content.buffer, content.byteOffset, content.byteLength), // no Buffer once it came from the thread
    contentId: contentIdIn(contentId ?? ''),
    inline,
  }));
}
