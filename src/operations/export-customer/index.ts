export { exportCustomer } from './export-customer.ts';
