/** An import and whose it is. */
export interface Which {
  customerId: number;
  importId: string;
}
