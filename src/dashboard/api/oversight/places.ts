/** Where oversight is asked for: by those who lead a customer, or by whoever runs the server for the installation itself. */
export interface Place {
  path: '' | '/operator';
  role: 'admin' | 'operator';
  /** What operations are called after. */
  named: '' | 'Installation';
}

export const CUSTOMER: Place = { path: '', role: 'admin', named: '' };
export const OPERATOR: Place = { path: '/operator', role: 'operator', named: 'Installation' };
