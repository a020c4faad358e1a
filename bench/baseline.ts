// The bare route that claims are compared with: JSON parsed, the raw body inserted by a prepared
// statement, one transaction each, answered after commit. Arguments: database URL, pool size.
import fastify from 'fastify';
import pg from 'pg';

const [url = '', poolSize = '8'] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: url, max: Number(poolSize) });
const server = fastify();

server.removeAllContentTypeParsers();
server.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
  try {
    done(null, { raw: body, parsed: JSON.parse(body as string) });
  } catch (error) {
    done(error as Error);
  }
});

server.post('/messages', async (request) => {
  const { raw } = request.body as { raw: string };
  const insert = { name: 'insert', text: 'insert into bare (body) values ($1) returning id', values: [raw] };
  const { rows } = await pool.query(insert);
  return { id: rows[0].id };
});

await server.listen({ host: '127.0.0.1', port: 0 });
const { port } = server.server.address() as { port: number };
process.stdout.write(`listening ${port}\n`);
