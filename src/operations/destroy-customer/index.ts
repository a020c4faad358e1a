export { type CustomerDestruction, isAboutCustomer, verifyCustomerDestruction } from './certificate.ts';
export { type Destroyed, destroyCustomer } from './destroy-customer.ts';
