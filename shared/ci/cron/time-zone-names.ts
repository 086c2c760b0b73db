/** The long display names that the public server accepts, by IANA zone (pipeline-schedules.md section 4). */
export const DISPLAY_NAMES = `
  Etc/GMT+12: International Date Line West
  Pacific/Midway: Midway Island
  Pacific/Pago_Pago: American Samoa
  Pacific/Honolulu: Hawaii
  America/Juneau: Alaska
  America/Los_Angeles: Pacific Time (US & Canada)
  America/Tijuana: Tijuana
  America/Denver: Mountain Time (US & Canada)
  America/Phoenix: Arizona
  America/Chihuahua: Chihuahua
  America/Mazatlan: Mazatlan
  America/Chicago: Central Time (US & Canada)
  America/Regina: Saskatchewan
  America/Mexico_City: Guadalajara, Mexico City
  America/Monterrey: Monterrey
  America/Guatemala: Central America
  America/New_York: Eastern Time (US & Canada)
  America/Indiana/Indianapolis: Indiana (East)
  America/Bogota: Bogota
  America/Lima: Lima, Quito
  America/Halifax: Atlantic Time (Canada)
  America/Caracas: Caracas
  America/La_Paz: La Paz
  America/Santiago: Santiago
  America/Asuncion: Asuncion
  America/St_Johns: Newfoundland
  America/Sao_Paulo: Brasilia
  America/Argentina/Buenos_Aires: Buenos Aires
  America/Montevideo: Montevideo
  America/Guyana: Georgetown
  America/Puerto_Rico: Puerto Rico
  America/Nuuk: Greenland
  Atlantic/South_Georgia: Mid-Atlantic
  Atlantic/Azores: Azores
  Atlantic/Cape_Verde: Cape Verde Is.
  Europe/Dublin: Dublin
  Europe/London: Edinburgh, London
  Europe/Lisbon: Lisbon
  Africa/Casablanca: Casablanca
  Africa/Monrovia: Monrovia
  Etc/UTC: UTC
  Europe/Belgrade: Belgrade
  Europe/Bratislava: Bratislava
  Europe/Budapest: Budapest
  Europe/Ljubljana: Ljubljana
  Europe/Prague: Prague
  Europe/Sarajevo: Sarajevo
  Europe/Skopje: Skopje
  Europe/Warsaw: Warsaw
  Europe/Zagreb: Zagreb
  Europe/Brussels: Brussels
  Europe/Copenhagen: Copenhagen
  Europe/Madrid: Madrid
  Europe/Paris: Paris
  Europe/Amsterdam: Amsterdam
  Europe/Berlin: Berlin
  Europe/Zurich: Bern, Zurich
  Europe/Rome: Rome
  Europe/Stockholm: Stockholm
  Europe/Vienna: Vienna
  Africa/Algiers: West Central Africa
  Europe/Bucharest: Bucharest
  Africa/Cairo: Cairo
  Europe/Helsinki: Helsinki
  Europe/Kyiv: Kyiv
  Europe/Riga: Riga
  Europe/Sofia: Sofia
  Europe/Tallinn: Tallinn
  Europe/Vilnius: Vilnius
  Europe/Athens: Athens
  Europe/Istanbul: Istanbul
  Europe/Minsk: Minsk
  Asia/Jerusalem: Jerusalem
  Africa/Harare: Harare
  Africa/Johannesburg: Pretoria
  Europe/Kaliningrad: Kaliningrad
  Europe/Moscow: Moscow, St. Petersburg
  Europe/Volgograd: Volgograd
  Europe/Samara: Samara
  Asia/Kuwait: Kuwait
  Asia/Riyadh: Riyadh
  Africa/Nairobi: Nairobi
  Asia/Baghdad: Baghdad
  Asia/Tehran: Tehran
  Asia/Muscat: Abu Dhabi, Muscat
  Asia/Baku: Baku
  Asia/Tbilisi: Tbilisi
  Asia/Yerevan: Yerevan
  Asia/Kabul: Kabul
  Asia/Yekaterinburg: Ekaterinburg
  Asia/Karachi: Islamabad, Karachi
  Asia/Tashkent: Tashkent
  Asia/Kolkata: Chennai, Kolkata, Mumbai, New Delhi
  Asia/Kathmandu: Kathmandu
  Asia/Almaty: Almaty, Astana
  Asia/Dhaka: Dhaka
  Asia/Colombo: Sri Jayawardenepura
  Asia/Novosibirsk: Novosibirsk
  Asia/Yangon: Rangoon
  Asia/Bangkok: Bangkok, Hanoi
  Asia/Jakarta: Jakarta
  Asia/Krasnoyarsk: Krasnoyarsk
  Asia/Shanghai: Beijing, Chongqing
  Asia/Hong_Kong: Hong Kong
  Asia/Urumqi: Urumqi
  Asia/Kuala_Lumpur: Kuala Lumpur
  Asia/Singapore: Singapore
  Asia/Taipei: Taipei
  Australia/Perth: Perth
  Asia/Irkutsk: Irkutsk
  Asia/Ulaanbaatar: Ulaanbaatar
  Asia/Seoul: Seoul
  Asia/Tokyo: Osaka, Sapporo, Tokyo
  Asia/Yakutsk: Yakutsk
  Australia/Darwin: Darwin
  Australia/Adelaide: Adelaide
  Australia/Melbourne: Canberra, Melbourne
  Australia/Sydney: Sydney
  Australia/Brisbane: Brisbane
  Australia/Hobart: Hobart
  Asia/Vladivostok: Vladivostok
  Pacific/Guam: Guam
  Pacific/Port_Moresby: Port Moresby
  Asia/Magadan: Magadan
  Asia/Srednekolymsk: Srednekolymsk
  Pacific/Guadalcanal: Solomon Is.
  Pacific/Noumea: New Caledonia
  Pacific/Fiji: Fiji
  Asia/Kamchatka: Kamchatka
  Pacific/Majuro: Marshall Is.
  Pacific/Auckland: Auckland, Wellington
  Pacific/Tongatapu: Nuku'alofa
  Pacific/Fakaofo: Tokelau Is.
  Pacific/Chatham: Chatham Is.
  Pacific/Apia: Samoa
`;

/**
 * Names of the IANA database that Intl computes with but does not list: older spellings, and newer ones of zones that it lists under
 * an old name. Etc/GMT-14 to Etc/GMT+12 are left to the code.
 */
export const UNLISTED_NAMES = `
  Africa/Asmara Africa/Timbuktu America/Argentina/Buenos_Aires America/Argentina/Catamarca America/Argentina/ComodRivadavia
  America/Argentina/Cordoba America/Argentina/Jujuy America/Argentina/Mendoza America/Atikokan America/Atka America/Ensenada
  America/Fort_Wayne America/Indiana/Indianapolis America/Kentucky/Louisville America/Knox_IN America/Montreal America/Nipigon
  America/Nuuk America/Pangnirtung America/Porto_Acre America/Rainy_River America/Rosario America/Santa_Isabel America/Shiprock
  America/Thunder_Bay America/Virgin America/Yellowknife Antarctica/South_Pole Asia/Ashkhabad Asia/Choibalsan Asia/Chongqing
  Asia/Chungking Asia/Dacca Asia/Harbin Asia/Ho_Chi_Minh Asia/Istanbul Asia/Kashgar Asia/Kathmandu Asia/Kolkata Asia/Macao
  Asia/Tel_Aviv Asia/Thimbu Asia/Ujung_Pandang Asia/Ulan_Bator Asia/Yangon Atlantic/Faroe Atlantic/Jan_Mayen Australia/ACT
  Australia/Canberra Australia/Currie Australia/LHI Australia/NSW Australia/North Australia/Queensland Australia/South
  Australia/Tasmania Australia/Victoria Australia/West Australia/Yancowinna Brazil/Acre Brazil/DeNoronha Brazil/East Brazil/West CET
  CST6CDT Canada/Atlantic Canada/Central Canada/Eastern Canada/Mountain Canada/Newfoundland Canada/Pacific Canada/Saskatchewan
  Canada/Yukon Chile/Continental Chile/EasterIsland Cuba EET EST EST5EDT Egypt Eire Etc/GMT Etc/GMT0 Etc/Greenwich Etc/UCT Etc/UTC
  Etc/Universal Etc/Zulu Europe/Belfast Europe/Kyiv Europe/Nicosia Europe/Tiraspol Europe/Uzhgorod Europe/Zaporozhye GB GB-Eire GMT
  GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT Mexico/BajaNorte
  Mexico/BajaSur Mexico/General NZ NZ-CHAT Navajo PRC PST8PDT Pacific/Chuuk Pacific/Johnston Pacific/Kanton Pacific/Pohnpei
  Pacific/Samoa Pacific/Yap Poland Portugal ROC ROK Singapore Turkey UCT US/Alaska US/Aleutian US/Arizona US/Central US/East-Indiana
  US/Eastern US/Hawaii US/Indiana-Starke US/Michigan US/Mountain US/Pacific US/Samoa UTC Universal W-SU WET Zulu
`;
