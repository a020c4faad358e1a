import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { words } from '../words/shared.ts';
import { Button } from './button.tsx';

/** Something to take elsewhere, in letters that cannot be mistaken, with a button that copies it. */
export function CopyText({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <div className="flex min-w-0 items-center gap-2">
      <code
        className="min-w-0 grow overflow-x-auto rounded bg-sunken px-2 py-1.5 font-mono text-sm break-all"
        aria-label={label}
      >
        {value}
      </code>
      <Button
        icon={copied ? Check : Copy}
        aria-label={`${copied ? words.copied : words.copy}: ${label}`}
        onClick={() => void copy()}
      >
        {copied ? words.copied : words.copy}
      </Button>
    </div>
  );
}
