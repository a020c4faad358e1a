/** What a form is called, and what stands below. */
export interface Heading {
  title: string;
  description: string | null;
}
