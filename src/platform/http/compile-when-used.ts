import { AjvCompiler } from '@fastify/ajv-compiler';
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Factories = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

type Check = ((value: unknown) => unknown) & { errors?: unknown };
type Write = (value: unknown) => string;
type Compiler<Made> = (route: { schema: object }) => Made;

const validators = AjvCompiler() as unknown as (...given: unknown[]) => Compiler<Check>;
const serializers = SerializerSelector() as unknown as (...given: unknown[]) => Compiler<Write>;
const checks = new WeakMap<object, Check>();
const writers = new WeakMap<object, Write>();

/**
 * Compiles the schemas of an endpoint when it is called first, once for all the bases that it answers under and for all the
 * servers of a process, which have the same options. To compile all of them before listening takes a second and more
 * memory than most processes ever use.
 */
export const compileWhenUsed = {
  buildValidator: (...given: unknown[]) => lazily(validators(...given), checks, checkLater),
  buildSerializer: (...given: unknown[]) => lazily(serializers(...given), writers, writeLater),
} as unknown as Factories; // which types a route as the schema alone

function lazily<Made>(
  compile: Compiler<Made>,
  compiled: WeakMap<object, Made>,
  later: (make: () => Made) => Made,
): Compiler<Made> {
  const once = (route: { schema: object }): Made => {
    const made = compiled.get(route.schema) ?? compile(route);
    compiled.set(route.schema, made);
    return made;
  };
  return (route) => later(() => once(route));
}

function checkLater(make: () => Check): Check {
  let made: Check | undefined;
  const check: Check = (value) => {
    made ??= make();
    const verdict = made(value);
    check.errors = made.errors;
    return verdict;
  };
  return check;
}

function writeLater(make: () => Write): Write {
  let made: Write | undefined;
  return (value) => {
    made ??= make();
    return made(value);
  };
}
