// The SDK's version, as `User-Agent` gives it. A test holds it to package.json.

export const version = '0.2.0';
