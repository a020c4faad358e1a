import type { Reply } from '../../api/client.ts';
import { useRead } from '../../api/query.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/problem.tsx';
import { When } from '../../ui/when.tsx';
import { words } from '../../words/email/templates.ts';
import type { Text } from './editor.tsx';

interface VersionsProps {
  template: Reply<'readTemplate'>;
  onClose(): void;
  onTakeUp?(version: number, text: Text): void;
}

/** Every text that a template had, the newest first. */
export function Versions({ template, onClose, onTakeUp }: VersionsProps) {
  const read = useRead('listTemplateVersions', { params: { id: template.id } });
  return (
    <Dialog open side onClose={onClose} title={words.versions} lead={words.versionsLead}>
      <Loaded read={read}>
        {({ data }) => (
          <ol className="flex flex-col gap-2">
            {data.map(({ version, subject, body, strict, allow_raw_html: rawHtml, created_at: at }) => (
              <li key={version} className="flex flex-wrap items-center justify-between gap-2 rounded-md border p-3">
                <div className="min-w-0">
                  <p className="font-medium">{words.version(version)}</p>
                  <p className="text-sm text-soft">
                    <When at={at} exact />
                  </p>
                  {subject !== null && <p className="text-sm break-words">{subject}</p>}
                </div>
                {version === template.version && <Badge tone="good">{words.current}</Badge>}
                {version !== template.version && onTakeUp !== undefined && (
                  <Button
                    aria-label={`${words.takeUp}: ${words.version(version)}`}
                    onClick={() => onTakeUp(version, { subject: subject ?? '', body, strict, rawHtml })}
                  >
                    {words.takeUp}
                  </Button>
                )}
              </li>
            ))}
          </ol>
        )}
      </Loaded>
    </Dialog>
  );
}
