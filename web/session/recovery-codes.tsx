import { saveFile } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { words } from '../words/session.ts';

/** The codes that open the door when a phone is lost, shown this once. */
export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const save = () => saveFile(new Blob([`${codes.join('\n')}\n`], { type: 'text/plain' }), words.codesFile);
  return (
    <div className="flex flex-col gap-4">
      <div>
        <h2 className="font-semibold">{words.codesTitle}</h2>
        <p className="text-sm text-soft">{words.codesLead}</p>
      </div>
      <ul className="grid grid-cols-2 gap-2 rounded-md bg-sunken p-4 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={save}>{words.codesSave}</Button>
        <Button look="primary" onClick={onKept}>
          {words.codesKept}
        </Button>
      </div>
    </div>
  );
}
