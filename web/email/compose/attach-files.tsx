import { Paperclip, X } from 'lucide-react';
import { type Dispatch, type SetStateAction, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/email/compose.ts';
import type { AttachedFile } from './draft.ts';

interface AttachFilesProps {
  files: readonly AttachedFile[];
  onChange: Dispatch<SetStateAction<readonly AttachedFile[]>>;
  /** Is told how many times files are being read: what is not read yet would not go along. */
  onReading: Dispatch<SetStateAction<number>>;
}

/** What the server takes. */
const MOST_BYTES = 50 * 2 ** 20;

/** The files that go with a message. */
export function AttachFiles({ files, onChange, onReading }: AttachFilesProps) {
  const [isTooMuch, setTooMuch] = useState(false);
  const add = async (picked: readonly File[]) => {
    const bytes = sum(files.map(({ content }) => (content.length / 4) * 3)) + sum(picked.map(({ size }) => size));
    setTooMuch(bytes > MOST_BYTES);
    if (bytes > MOST_BYTES) return;
    onReading((count) => count + 1);
    try {
      const read = await Promise.all(picked.map(readFile));
      onChange((before) => [...before, ...read]);
    } catch (error) {
      tellProblem(error);
    } finally {
      onReading((count) => count - 1);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label={words.files} hint={words.filesHint} optional problem={isTooMuch ? words.filesTooLarge : undefined}>
        <Input
          type="file"
          multiple
          onChange={(event) => {
            void add([...(event.target.files ?? [])]);
            event.target.value = '';
          }}
        />
      </Field>
      <ul className="flex flex-col gap-1">
        {files.map((file, at) => (
          <li key={`${at}-${file.fileName}`} className="flex items-center gap-2 text-sm">
            <Paperclip aria-hidden className="size-4 text-soft" />
            <span className="break-all">{file.fileName}</span>
            <Button
              look="quiet"
              icon={X}
              aria-label={words.removeFile(file.fileName)}
              onClick={() => onChange((before) => before.filter((each) => each !== file))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** As many bytes as may be arguments of one call. */
const AT_ONCE = 0x8000;

async function readFile(file: File): Promise<AttachedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return { fileName: file.name, contentType: file.type || 'application/octet-stream', content: btoa(text) };
}
