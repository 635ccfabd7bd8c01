import { expect, test } from 'vitest';
import { JOIN_PROPERTIES, readProperties } from './properties.ts';

const KNOWN = Object.keys(JOIN_PROPERTIES);
const read = (...words: readonly string[]): unknown => Object.fromEntries(readProperties(words, KNOWN));

test('readProperties takes words of any installer, and leaves out what is empty', () => {
  expect(read('CLOUDCORE_IP=10.0.0.1', 'NODE_NAME=')).toEqual({ CLOUDCORE_IP: '10.0.0.1' });
  expect(read('/S', '/NCRC', '/cloudcore_ip=10.0.0.1')).toEqual({ CLOUDCORE_IP: '10.0.0.1' });
});

test('readProperties keeps slashes, equal signs and blanks in a value', () => {
  const labels = 'node.example.com/site=north pole,a=b';
  expect(read(`/LABELS=${labels}`, '/TOKEN_FILE=C:\\my token.txt')).toEqual({
    LABELS: labels,
    TOKEN_FILE: 'C:\\my token.txt',
  });
});

test('readProperties refuses a property that there is not, so that a misspelt one is noticed', () => {
  expect(() => read('/CLOUDCORE=10.0.0.1')).toThrow('there is no property "CLOUDCORE"');
  expect(() => read('/S', '/TOKEN', 'abc')).toThrow('argument 2 is not NAME=value');
});

test('readProperties refuses a token in the open, and does not repeat it', () => {
  const hint = expect.stringContaining('TOKEN_FILE');
  const message = expect.not.stringContaining('secret');
  expect(() => read('TOKEN=secret')).toThrow(expect.objectContaining({ hint, message }));
});

test.each(['token.txt', '.\\token.txt', 'C:token.txt'])(
  'readProperties refuses "%s", which is not a whole path',
  (path) => {
    expect(() => read(`TOKEN_FILE=${path}`)).toThrow('TOKEN_FILE is not an absolute path');
    expect(() => read(`CONFIG_FILE=${path}`)).toThrow('CONFIG_FILE is not an absolute path');
  },
);
