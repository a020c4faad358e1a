import { useMemo } from 'react';
import { compileForm } from '../../../../src/forms/model/compile.ts';
import { type Answered, questionsOf } from '../../../../src/forms/model/questions.ts';
import { useRead } from '../../../api/query.ts';
import type { Submission } from './page.tsx';

/** The questions that a submission answers, as its version of the form asked them; none until they are read. */
export function useQuestions(submission: Submission): readonly Answered[] {
  const params = { id: submission.form_id, version: submission.form_version };
  const formJson = useRead('readFormVersion', { params }).data?.data.form_json;
  return useMemo(() => (formJson === undefined ? [] : questionsOf(compileForm(formJson))), [formJson]);
}
