/** URLs that must never be called, by what is wrong with them. */
export const REFUSED: Record<string, string[]> = {
  'this machine, in every spelling': split(`https://127.0.0.1/ https://127.1/ https://127.0.1/ https://127.0.0.1:8443/
    https://127.255.255.254/ https://2130706433/ https://017700000001/ https://0x7f000001/ https://0X7F000001/
    https://0x7f.1/ https://0x7f.0x0.0x0.0x1/ https://0177.0.0.1/ https://0177.1/ https://00000177.00.0.01/
    https://127.0x1/ https://127.0.0.0x1/ https://127.0.01/ https://0x7f.00.0x0.1/ https://127.00000000001/
    https://0000000000000000177.0.0.1/ https://127.0.0.1./ https://127.1./ https://2130706433./ https://0x7f.1./
    https://１２７.０.０.１/ https://①②⑦.⓪.⓪.①/ https://①②⑦.1/ https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/ https://⑫7.0.0.1/
    https://127。0。0。1/ https://127．0．0．1/ https://127｡0｡0｡1/ https://２１３０７０６４３３/ https://０ｘ７ｆ.１/
    https://0.0.0.0/ https://0/ https://0x0/ https://00/ https://0.0/ https://0x/ https://⓪/ https://0.0.0.1/
    https://1/ https://255/ https://0.255.255.255/ https://1\u00ad27.0.0.1/ https://127.0.0.1\u200b/`),
  'private IPv4':
    split(`https://10.0.0.1/ https://10.1/ https://167772161/ https://0xa000001/ https://0xa.1/ https://012.1/
    https://012.0.0.1/ https://10.255.255.255/ https://１０.0.0.1/ https://⑩.0.0.1/ https://172.16.0.1/ https://172.31.255.255/
    https://0xac.16.1/ https://2886729729/ https://0254.020.0.1/ https://172.1048577/ https://192.168.0.1/
    https://192.168.1/ https://192.11010049/ https://3232235777/ https://0xc0a80101/ https://0300.0250.1.1/
    https://0xc0.0xa8.0x1.0x1/ https://030052000401/ https://192.168.1.1./ https://①⑨②.①⑥⑧.①.①/`),
  'the metadata of clouds and other link-local': split(`https://169.254.169.254/latest/meta-data/ https://2852039166/
    https://0xa9fea9fe/ https://0xa9.254.0xa9.254/ https://0251.0376.0251.0376/ https://025177524776/ https://169.254.43518/
    https://169.16689662/ https://169.254.169.254./ https://①⑥⑨.②⑤④.①⑥⑨.②⑤④/ https://169.254.170.2/
    https://169.254.0.1/ https://100.100.100.200/ https://192.0.0.192/ https://168.63.129.16/ https://2822734096/ https://[::ffff:168.63.129.16]/
    https://[fd00:ec2::254]/ https://[fd20:ce::254]/ https://[fe80::a9fe:a9fe]/ https://[::ffff:169.254.169.254]/
    https://[::ffff:a9fe:a9fe]/ https://[64:ff9b::a9fe:a9fe]/ https://[2002:a9fe:a9fe::1]/
    https://metadata.google.internal/computeMetadata/v1/ https://metadata/ https://instance-data/`),
  'other IPv4 that is not public':
    split(`https://100.64.0.1/ https://100.127.255.254/ https://1681915905/ https://192.0.0.1/
    https://192.0.2.1/ https://192.88.99.1/ https://198.18.0.1/ https://198.19.255.255/ https://198.51.100.7/
    https://203.0.113.9/ https://224.0.0.1/ https://239.255.255.250:1900/ https://240.0.0.1/ https://255.255.255.255/
    https://4294967295/ https://0xffffffff/ https://037777777777/ https://254.1/`),
  'IPv6 that is not public':
    split(`https://[::1]/ https://[::]/ https://[0:0:0:0:0:0:0:1]/ https://[0::0001]/ https://[::1]:8443/
    https://[::2]/ https://[fc00::1]/ https://[fd12:3456:789a:1::1]/ https://[FD00::1]/ https://[fe80::1]/ https://[febf::1]/
    https://[fec0::1]/ https://[ff02::1]/ https://[ff0e::1]/ https://[100::1]/ https://[2001:db8::1]/ https://[2001:2::1]/
    https://[2001:10::1]/ https://[2001:20::1]/ https://[3fff::1]/ https://[5f00::1]/ https://[4000::1]/ https://[8000::1]/`),
  'IPv4 within IPv6': split(`https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[0:0:0:0:0:ffff:127.0.0.1]/
    https://[::FFFF:7F00:0001]/ https://[::ffff:10.0.0.1]/ https://[::ffff:192.168.0.1]/ https://[::ffff:0.0.0.0]/
    https://[::127.0.0.1]/ https://[::7f00:1]/ https://[::10.0.0.1]/ https://[::8.8.8.8]/ https://[::ffff:0:127.0.0.1]/
    https://[::ffff:0:8.8.8.8]/ https://[64:ff9b::127.0.0.1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b::10.0.0.1]/
    https://[64:ff9b:1::127.0.0.1]/ https://[64:ff9b:1:7f00:0:100::]/ https://[64:ff9b:1::8.8.8.8]/
    https://[2002:7f00:1::]/ https://[2002:a00:1::1]/ https://[2002:c0a8:101::1]/ https://[2002:808:808::1]/
    https://[2001:0:7f00:1::]/ https://[2001::80ff:fffe]/ https://[2001:0:808:808::f5ff:fffe]/
    https://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/ https://[2606:4700::5efe:10.0.0.1]/
    https://[2606:4700::200:5efe:127.0.0.1]/`),
  'zones, and addresses that are none': split(`https://[fe80::1%eth0]/ https://[fe80::1%25eth0]/ https://[::1%25lo]/
    https://[2606:4700::1%25eth0]/ https://[2606:4700::1%251]/ https://::1/ https://[::1/ https://[127.0.0.1]/
    https://[::ffff:0x7f.1]/ https://[1::2::3]/ https://256.256.256.256/ https://127.0.0.256/ https://4294967296/
    https://1.2.3.4.5/ https://127.0.0.0x100/ https://0x100000000/ https://1.2.3.08/ https://foo.0x7f/ https://foo.127/
    https://[v1.x]/ https://[]/`),
  'names of this machine and of inner networks': split(`https://localhost/ https://LOCALHOST/ https://LocalHost:8443/
    https://localhost./ https://ｌｏｃａｌｈｏｓｔ/ https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/ https://𝓁𝑜𝒸𝒶𝓁𝒽𝑜𝓈𝓉/ https://loca\u00adlhost/ https://localhoſt/
    https://loc%61lhost/ https://app.localhost/ https://a.b.localhost/ https://app.localhost./ https://APP.LOCALHOST/
    https://app。localhost/ https://app．ｌｏｃａｌｈｏｓｔ/ https://printer.local/ https://printer.local./
    https://PRINTER.Local/ https://db.internal/ https://db.prod.internal/ https://db.internal./ https://db.ｉｎｔｅｒｎａｌ/
    https://db%2einternal/ https://ex%61mple.com/ https://.internal/ https://.localhost/ https://..localhost/`),
  'names that are not full':
    split(`https://intranet/ https://postgres:5432/ https://kubernetes/ https://local/ https://internal/
    https://com/ https://com./ https://example.com./ https://example.com../ https://example..com/ https://.example.com/
    https://example.com。/ https://xn--/ https://-example.com/ https://example-.com/ https://a_/ https://exa*mple.com/
    https://${'a'.repeat(64)}.example/ https://${'a.'.repeat(127)}example/ https://exa!mple.com/ https://(example).com/`),
  userinfo:
    split(`https://user@example.com/ https://user:secret@example.com/ https://:secret@example.com/ https://@example.com/
    https://:@example.com/ https://example.com@127.0.0.1/ https://127.0.0.1@example.com/ https://example.com:443@127.0.0.1/
    https://a@b@127.0.0.1/ https://example.com%40127.0.0.1/ https://user%40x@example.com/ https://[::1]@example.com/`),
  'backslashes, spaces and control characters': [
    'https://example.com\\@127.0.0.1/',
    'https://127.0.0.1\\.example.com/',
    'https:\\\\127.0.0.1\\',
    'https:\\\\example.com/',
    'https:/\\example.com/',
    'https://example.com\\',
    'https://example.com/a\\b',
    'https://127.0\t.0.1/',
    'https://127.0\n.0.1/',
    'https://127.0\r\n.0.1/',
    'https://exam\tple.com/',
    'https://exam\nple.com/',
    'ht\ntps://example.com/',
    'https://example.com/\r\nX-Injected: 1',
    'https://example.com/ HTTP/1.1',
    ' https://example.com/',
    'https://example.com/ ',
    'https://example.com/\n',
    '\u0000https://example.com/',
    'https://example.com/\u0000',
    'https://example.com/a b',
    'https://exa mple.com/',
    'https://example.com/\u00a0',
    'https://example.com/\u0085',
    'https://example.com/\u2028',
    '\ufeffhttps://example.com/',
    'https://example.com/\u007f',
  ],
  ports: split(`https://example.com:0/ https://example.com:1/ https://example.com:22/ https://example.com:25/
    https://example.com:53/ https://example.com:80/ https://example.com:442/ https://example.com:444/ https://example.com:465/
    https://example.com:993/ https://example.com:1023/ https://example.com:01023/ https://example.com:65536/
    https://example.com:66000/ https://example.com:-1/ https://example.com:443x/ https://example.com:443:443/
    https://example.com:0x1bb/ https://8.8.8.8:22/ https://[2606:4700::1]:22/ https://example.com:４４３/`),
  schemes:
    split(`http://example.com/ http://example.com:443/ http://example.com:8443/ HTTP://example.com/ ftp://example.com/
    file:///etc/passwd file://example.com/x gopher://example.com:6379/_x ws://example.com/ wss://example.com/ data:text/plain,x
    javascript:alert(1) unix:/run/x.sock ldap://example.com/ dict://example.com:11211/ blob:https://example.com/x
    view-source:https://example.com/ https+unix://example.com/ jar:https://example.com/!/ //example.com/ /hook example.com
    https https: https:// https:/// https:example.com https:/example.com https:///example.com https:////127.0.0.1/
    https://?x https://# https://:443/ http://127.0.0.1/ http://localhost/ http://[::1]/`),
  'too long': [
    '',
    `https://example.com/${'a'.repeat(2029)}`,
    `https://example.com/#${'a'.repeat(2029)}`,
    `https://example.com/${'ä'.repeat(400)}`,
  ],
};

/** URLs that may be called, and what is called then. */
export const ACCEPTED: Record<string, string> = {
  'https://example.com/': 'https://example.com/',
  'https://example.com': 'https://example.com/',
  'HTTPS://EXAMPLE.COM/Hook': 'https://example.com/Hook',
  'https://example.com:443/': 'https://example.com/',
  'https://example.com:8443/': 'https://example.com:8443/',
  'https://example.com:1024/': 'https://example.com:1024/',
  'https://example.com:65535/': 'https://example.com:65535/',
  'https://hooks.eu-1.example.co.uk/a/b?c=d&e=f@g': 'https://hooks.eu-1.example.co.uk/a/b?c=d&e=f@g',
  'https://example.com/#part': 'https://example.com/',
  'https://example.com?x=1#part': 'https://example.com/?x=1',
  'https://example.com/@user': 'https://example.com/@user',
  'https://example.com/a/../b': 'https://example.com/b',
  'https://example.com/%0d%0aX': 'https://example.com/%0d%0aX',
  'https://example.com/ä': 'https://example.com/%C3%A4',
  'https://bücher.example/': 'https://xn--bcher-kva.example/',
  'https://xn--bcher-kva.example/': 'https://xn--bcher-kva.example/',
  'https://under_score.example.com/': 'https://under_score.example.com/',
  'https://localhost.example.com/': 'https://localhost.example.com/',
  'https://notlocalhost.com/': 'https://notlocalhost.com/',
  'https://internal.example.com/': 'https://internal.example.com/',
  'https://mylocal.example/': 'https://mylocal.example/',
  'https://127.0.0.1.example.com/': 'https://127.0.0.1.example.com/',
  'https://8.8.8.8/': 'https://8.8.8.8/',
  'https://134744072/': 'https://8.8.8.8/',
  'https://93.184.216.34:8443/x': 'https://93.184.216.34:8443/x',
  'https://[2606:4700:4700::1111]/': 'https://[2606:4700:4700::1111]/',
  'https://[2606:4700:4700:0:0:0:0:1111]:8443/': 'https://[2606:4700:4700::1111]:8443/',
  'https://[::ffff:8.8.8.8]/': 'https://[::ffff:808:808]/',
  'https://[64:ff9b::8.8.8.8]/': 'https://[64:ff9b::808:808]/',
  [`https://example.com/${'a'.repeat(2028)}`]: `https://example.com/${'a'.repeat(2028)}`,
};

function split(text: string): string[] {
  return text.trim().split(/[ \n]+/);
}
