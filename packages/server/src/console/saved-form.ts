// A form that was sent after its session had ended: the browser keeps the input in a cookie until somebody signs in.

import { consoleForms, type FormName, type ReturnedForm } from '@envsnap/console';
import type { Request, Response } from 'express';
import { readCookie, setCookie } from './cookies.ts';
import type { FormFields } from './forms.ts';

const cookie = 'envsnap-form';
const savedSeconds = 600;
const longest = 3800;

/** Keeps the input of a form, if it has fields to fill in and the input fits into a cookie. */
export function saveForm(request: Request, response: Response, name: FormName): void {
  const saved = Buffer.from(JSON.stringify([name, request.body])).toString('base64url');
  if (consoleForms[name].labels !== undefined && saved.length <= longest)
    setCookie(request, response, cookie, saved, savedSeconds);
}

export function hasSavedForm(request: Request): boolean {
  return readCookie(request, cookie) !== undefined;
}

/** Returns the saved form of this page, and deletes it. */
export function takeSavedForm(request: Request, response: Response, page: string): ReturnedForm | undefined {
  const saved = readSaved(readCookie(request, cookie));
  if (saved === undefined || consoleForms[saved.name].page !== page) return undefined;
  setCookie(request, response, cookie, '', 0);
  return saved;
}

function readSaved(text: string | undefined): ReturnedForm | undefined {
  if (text === undefined) return undefined;
  try {
    const [name, fields] = JSON.parse(Buffer.from(text, 'base64url').toString()) as [FormName, FormFields];
    if (!Object.hasOwn(consoleForms, name) || typeof fields !== 'object' || fields === null) return undefined;
    return { name, fields, error: null };
  } catch {
    return undefined;
  }
}
