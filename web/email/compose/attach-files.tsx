import { Paperclip, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { Field, Input } from '../../ui/field.tsx';
import { tellProblem } from '../../ui/toast.tsx';
import { words } from '../../words/email/compose.ts';
import type { AttachedFile } from './draft.ts';

interface AttachFilesProps {
  files: readonly AttachedFile[];
  onChange(files: readonly AttachedFile[]): void;
}

/** The files that go with a message. */
export function AttachFiles({ files, onChange }: AttachFilesProps) {
  const add = async (picked: readonly File[]) => {
    try {
      onChange([...files, ...(await Promise.all(picked.map(readFile)))]);
    } catch (error) {
      tellProblem(error);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Field label={words.files} hint={words.filesHint} optional>
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
          <li key={`${file.fileName}-${file.content.length}`} className="flex items-center gap-2 text-sm">
            <Paperclip aria-hidden className="size-4 text-soft" />
            <span className="break-all">{file.fileName}</span>
            <Button
              look="quiet"
              icon={X}
              aria-label={words.removeFile(file.fileName)}
              onClick={() => onChange(files.filter((_each, other) => other !== at))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}

/** As many bytes as may be arguments of one call. */
const AT_ONCE = 0x8000;

async function readFile(file: File): Promise<AttachedFile> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return { fileName: file.name, contentType: file.type || 'application/octet-stream', content: btoa(text) };
}
