import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMayReach } from './may-reach.ts';

const PUBLIC = ['93.184.216.34', '2606:4700::1111'];
const INNER = '10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 127.0.0.1 127.255.255.254 ::1 fd12:3456::1'.split(' ');
const NEVER = `0.0.0.0 :: 169.254.169.254 169.254.0.1 fe80::1 fe80::1%eth0 fd00:ec2::254 FD00:EC2::254 fd00:ec2:0::254
  fd20:ce::254 168.63.129.16 224.0.0.1 239.255.255.255 ff02::1 255.255.255.255 100.64.0.1 100.100.100.200 192.0.0.192
  ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::10.0.0.1 2002:a00:1::1 172.15.0.1x mx.example 010.0.0.1`.split(/\s+/);

const inner = { dnsServers: ['127.0.0.1:5353'], mxPort: 2525 };

test('the open internet may always be reached', () => {
  for (const rules of [inner, { ...inner, dnsServers: [] }, { ...inner, mxPort: 25 }]) {
    for (const address of PUBLIC) assert.equal(createMayReach(rules)(address), true, address);
  }
});

test('an inner network may be reached only with name servers and a port of its own', () => {
  for (const address of INNER) {
    assert.equal(createMayReach(inner)(address), true, address);
    assert.equal(createMayReach({ ...inner, dnsServers: [] })(address), false, address);
    assert.equal(createMayReach({ ...inner, mxPort: 25 })(address), false, address);
  }
});

test('some addresses may never be reached', () => {
  for (const address of NEVER) {
    for (const rules of [inner, { dnsServers: [], mxPort: 25 }]) {
      assert.equal(createMayReach(rules)(address), false, address);
    }
  }
});
