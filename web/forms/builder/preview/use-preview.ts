import { useMemo } from 'react';
import type { Body } from '../../../api/client.ts';
import { useRead } from '../../../api/query.ts';
import { useSettled } from '../../../ui/use-settled.ts';
import type { Draft } from '../draft/draft.ts';
import { writeDraft } from '../draft/write-draft.ts';

/** What the server makes of a draft: the page as patients see it, and what is to be mended. */
export function usePreview(draft: Draft, { language, page }: { language?: string; page?: number } = {}) {
  const body = useMemo<Body<'previewForm'>>(
    () => ({
      title: draft.title.slice(0, 500),
      description: draft.description,
      form_json: writeDraft(draft).json,
      form_html: draft.html,
      form_css: draft.css,
      recipient: draft.recipient,
      signable: draft.signable,
      signature_confirmation_label: draft.signatureLabel,
      ...(language === undefined ? {} : { language }),
      ...(page === undefined ? {} : { page }),
    }),
    [draft, language, page],
  );
  const settled = useSettled(body);
  return useRead('previewForm', { body: settled }, { keep: true });
}
