import type { Body } from '../../api/client.ts';

export type ExportFormat = Body<'createFormExport'>['format'];

/** As what submissions can be taken out. */
export const FORMATS: readonly ExportFormat[] = ['csv', 'xlsx', 'pdf-zip', 'fhir-bundle', 'deidentified-csv'];
