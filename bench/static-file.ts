// A plain server that reads one file for each request, for comparison: `static-file.ts PORT FILE`.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

const [port, file = ''] = process.argv.slice(2);

createServer((_request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': statSync(file).size });
  createReadStream(file).pipe(response);
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('serving\n'));
