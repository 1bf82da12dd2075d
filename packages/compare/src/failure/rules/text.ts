// Rules about language, time, numbers, colours and what tests compare.

import type { RuleRow } from '../rule.ts';

/** Words of a line that compares two values. `==` alone frames a heading, with a time in it; a diff is read by pairs of lines. */
const comparing =
  ' expected;(expected;:expected;<expected;"expected;received;actual;!=; == ;assert; got;to be;to equal;want';
const failing = 'fail;error;not ok;assert;panicked;expected;differ;✗;✘';

export const textRules: readonly RuleRow[] = [
  {
    has: `zoneinfo;time zone;timezone;unknown zone;tzinfo;tzdata;utc offset;pytz;daylight;gmt+;gmt-;utc+;utc-;
      etc/utc;europe/;america/;asia/`,
    names: ['family:time zone', 'package:tzdata'],
    hints: ['facts:time.tzdata'],
    report: 'storj/storj/issues/4769',
  },
  {
    has: comparing,
    form: 'date',
    names: [],
    hints: ['family:time zone'],
    report: 'alxshelepenok/lumen/issues/893',
  },
  {
    has: `unicodedecodeerror;unicodeencodeerror;'ascii' codec;'charmap' codec;invalid byte sequence;us-ascii;
      ascii-8bit;configured to use ascii;ascii as encoding;invalid multibyte;
      incompatible character encodings;unmappable character;malformedinputexception;surrogateescape;codec can't;
      default encoding is;file.encoding`,
    names: ['family:language', 'env:PYTHONIOENCODING', 'env:PYTHONUTF8', 'facts:windows.codePage'],
    report: 'docker-exec/dexec/issues/26',
  },
  {
    has: `not sorted;not properly sorted;not in sorted order;unsorted;disorder;sort order;sorted order;out of order;
      sorting rules;text ordering;collat`,
    names: ['family:language'],
    report: 'smithlabcode/methpipe/issues/166',
  },
  {
    has: `datei oder verzeichnis;aucun fichier;no existe el archivo;нет такого файла;没有那个文件;そのような;
      nie ma takiego;nenhum arquivo;keine berechtigung;fehler;erreur;ошибка;错误;błąd;ungültig;nicht gefunden;
      не найден`,
    names: ['family:language'],
    foreign: true,
    report: 'smithlabcode/methpipe/issues/166',
  },
  {
    has: 'windows-125;cp125;cp437;cp850;cp932;cp936;code page;codepage',
    names: ['facts:windows.codePage'],
    report: 'yegor256/netbout/issues/850',
  },
  {
    has: `cannot change locale;setting locale failed;unsupported locale;cannot set lc_;can't set the locale;
      locale.error;setlocale;utf-8 locale;lc_all;lc_ctype;lc_collate;lc_numeric; locale;locale ;locale:`,
    names: ['family:language', 'facts:locale.installed'],
    report: 'gcovr/gcovr/pull/487',
  },
  {
    has: 'encoding;charset;utf-8;utf8;unicode;multibyte;non-ascii;locale;language',
    and: [failing],
    names: [],
    hints: ['family:language', 'env:PYTHONUTF8', 'facts:windows.codePage'],
    report: 'djcb/mu/issues/2631',
  },
  { has: 'sort;order', and: [failing], names: [], hints: ['family:language'], report: 'vim/vim/issues/7609' },
  {
    has: '_utc;utc_;strftime;localtime;mktime;zoneddatetime;timestamp;time_s;datetime',
    and: [failing],
    names: [],
    hints: ['family:time zone'],
    report: 'adaptivecomputing/torque/issues/292',
  },
  {
    has: 'could not convert;cannot convert;numberformatexception;invalid decimal;invalid number;invalid literal',
    form: 'decimal comma',
    names: ['env:LC_NUMERIC', 'facts:locale.categories', 'family:language'],
    report: 'sunfounder/nas-kit/issues/6',
  },
  {
    has: `\\x1b[;\\u001b[;\\033[;\\e[;[31m;[0m;[1m;[32m;[33m;[36m;[39m;[2m;[22m;␛[;escape code;ansi;no_color;
      force_color;colorterm;truecolor;clicolor`,
    names: ['family:colour'],
    hints: ['env:CI'],
    report: 'mcp-hangar/mcp-hangar/issues/1521',
  },
  {
    has: `process.env.ci;warnings as errors;will not be written;not written. the update flag;ci=true;\`ci\`;'ci';
      treating warnings`,
    names: ['env:CI'],
    report: 'transcom/mymove/pull/1710',
  },
  {
    has: 'color;colour',
    and: [failing],
    names: [],
    hints: ['family:colour', 'env:CI'],
    report: 'Textualize/rich/pull/3226',
  },
  {
    has: `image snapshot;imagesnapshot;screenshot; pixel;fontconfig;no fonts; font;visual regression;argos;
      percy;baseline image;glyph;image pixels;findfont;images not close`,
    names: ['facts:fonts.installed'],
    hints: ['runtimes:chromium', 'runtimes:chrome'],
    report: 'skyportal/skyportal/issues/2250',
  },
  {
    has: ' ;\\u202f;\\u00a0;\\xa0;\\xe2\\x80\\xaf',
    names: ['tool:node', 'facts:node.icu', 'env:NODE_ICU_DATA'],
    hints: ['family:language'],
    report: 'dfinity/nns-dapp/pull/1910',
  },
  {
    has: 'intl.;datetimeformat;tolocale;numberformat;icu',
    names: ['facts:node.icu', 'facts:icu.system', 'env:NODE_ICU_DATA'],
    hints: ['tool:node', 'family:language'],
    report: 'nodejs/node/issues/52258',
  },
];
