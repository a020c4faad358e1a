export { type CustomerDestruction, isAboutCustomer, verifyCustomerDestruction } from './certificate.ts';
export { destroyCustomer } from './destroy-customer.ts';
